import { useMay } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { useKeys } from '../whole-lists.ts';

export interface KeyNames {
  /** Of a key, by its id; undefined if the account has no such key. */
  keyName(keyId: string): string | undefined;
  /** Whoever did something, as people call them. */
  actorName(actor: string, name: string): string;
}

/** What keys are called; those that never got a name, by how they begin. */
export function useKeyNames(): KeyNames {
  const { t } = useReader();
  const mayReadKeys = useMay('owner');
  const { data } = useKeys(mayReadKeys);
  const keyName = (keyId: string) => {
    const key = data?.find((one) => String(one.keyId) === keyId);
    return key && (key.name || t('actor.unnamed', { prefix: key.prefix }));
  };
  return {
    keyName,
    actorName(actor, name) {
      if (actor === 'SERVICE') return t('actor.service');
      if (actor === 'COMMAND_LINE') {
        return name === '' ? t('actor.commandLine') : t('actor.user', { name });
      }
      return name || (keyName(actor.replace(/^KEY:/, '')) ?? actor);
    },
  };
}
