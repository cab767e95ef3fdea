import { useMay } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { useKeys, useMembers } from '../whole-lists.ts';

export interface Names {
  /** Of a key, by its id; undefined if the account has no such key. */
  keyName(keyId: string): string | undefined;
  /** Of a member, by the id of the person; undefined if they are none. */
  personName(personId: string): string | undefined;
  /** Whoever did something, as people call them. */
  actorName(actor: string, name: string): string;
}

/** What keys are called; those that never got a name, by how they begin. */
export function useNames(): Names {
  const { t } = useReader();
  const isOwner = useMay('owner');
  const { data } = useKeys(isOwner);
  const { data: members } = useMembers(isOwner);
  const keyName = (keyId: string) => {
    const key = data?.find((one) => String(one.keyId) === keyId);
    return key && (key.name || t('actor.unnamed', { prefix: key.prefix }));
  };
  return {
    keyName,
    personName: (personId) => members?.find((one) => String(one.personId) === personId)?.name,
    actorName(actor, name) {
      if (actor === 'SERVICE') return t('actor.service');
      if (actor === 'COMMAND_LINE') {
        return name === '' ? t('actor.commandLine') : t('actor.user', { name });
      }
      return name || (keyName(actor.replace(/^KEY:/, '')) ?? actor);
    },
  };
}
