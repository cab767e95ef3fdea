import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { Account, AccountChanges } from '../../../client/src/index.ts';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { SaveRow } from '../frame/save-row.tsx';
import { TimeZoneList } from '../frame/time-zone-list.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { WhereFrom } from './where-from.tsx';

const modes = ['anonymous', 'named', 'daily', 'none'] as const;

export function AccountForm() {
  const { data, error, refetch } = useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => server.manage.account({ signal }),
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <Fields account={data} />
      <WhereFrom />
    </>
  );
}

function Fields({ account }: { readonly account: Account }) {
  const { t } = useReader();
  const change = useChange(
    (changes: AccountChanges) => server.manage.changeAccount(changes),
    ...['account', 'person'],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    change.mutate({
      name: String(fields.get('name')),
      timeZone: String(fields.get('timeZone')),
      takesUnsealed: fields.get('takesUnsealed') === 'on',
      viewers: modes.find((mode) => mode === fields.get('viewers')) ?? account.viewers,
    });
  };
  return (
    <form className="panel fields" onSubmit={submit}>
      <label htmlFor="name">{t('account.name')}</label>
      <input id="name" name="name" required defaultValue={account.name} />
      <label htmlFor="timeZone">{t('account.timeZone')}</label>
      <input
        id="timeZone"
        name="timeZone"
        required
        list="zones"
        defaultValue={account.timeZone}
        aria-describedby="zoneWhat"
      />
      <TimeZoneList id="zones" />
      <p id="zoneWhat" className="quiet">
        {t('account.timeZone.what')}
      </p>
      <label htmlFor="viewers">{t('account.viewers')}</label>
      <select id="viewers" name="viewers" defaultValue={account.viewers}>
        {modes.map((mode) => (
          <option key={mode} value={mode}>
            {t(`viewers.${mode}`)}
          </option>
        ))}
      </select>
      <label className="check">
        <input type="checkbox" name="takesUnsealed" defaultChecked={account.takesUnsealed} />
        {t('account.takesUnsealed')}
      </label>
      <SaveRow change={change} isPrimary />
    </form>
  );
}
