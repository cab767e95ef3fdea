import type { FormEvent } from 'react';
import type { KeyFields, NewKey } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { expiryOf, LastDayField } from '../frame/last-day-field.tsx';
import { usePerson } from '../frame/person.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

const scopes = ['stats:read', 'info:read', 'collect:write', 'manage'] as const;
const scopeNames = {
  'stats:read': 'scope.stats',
  'info:read': 'scope.info',
  'collect:write': 'scope.collect',
  manage: 'scope.manage',
} as const;

export function NewKeyForm({ onMade }: { readonly onMade: (made: NewKey) => void }) {
  const { t } = useReader();
  const { scopes: own, role } = usePerson();
  const { mutateAsync, error, isPending } = useChange(
    (fields: KeyFields) => server.manage.addKey(fields),
    'keys',
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const made = await mutateAsync({
      name: String(fields.get('name')),
      scopes: scopes.filter((scope) => fields.get(scope) === 'on'),
      ...expiryOf(String(fields.get('expires'))),
    }).catch(() => undefined);
    if (made === undefined) return;
    form.reset();
    onMade(made);
  };
  return (
    <form className="panel fields" onSubmit={(event) => void submit(event)}>
      <h2>{t('keys.new')}</h2>
      <label htmlFor="keyName">{t('keys.name')}</label>
      <input id="keyName" name="name" required />
      <fieldset>
        <legend>{t('keys.scopes')}</legend>
        {scopes
          // An owner makes any; a key none that may do more than itself.
          .filter((scope) => role !== undefined || own.includes(scope))
          .map((scope) => (
            <label key={scope} className="check">
              <input type="checkbox" name={scope} defaultChecked={scope === 'stats:read'} />
              {t(scopeNames[scope])}
            </label>
          ))}
      </fieldset>
      <LastDayField id="expires" name="expires" label={t('keys.expires')} />
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <ActionButton type="submit" className="primary" isBusy={isPending}>
          {t('keys.create')}
        </ActionButton>
      </div>
    </form>
  );
}
