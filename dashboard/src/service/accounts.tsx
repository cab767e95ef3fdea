/** All accounts of the service; what is in them is for their members alone. */
import { type FormEvent, useState } from 'react';
import type { NewAccountFields, ServiceAccount } from '../../../client/src/index.ts';
import { inAccount } from '../account-in-url.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { isMarked, TextField } from '../frame/fields.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { SubmitRow } from '../frame/save-row.tsx';
import { TimeZoneList } from '../frame/time-zone-list.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { useWholeList } from '../whole-lists.ts';

/** What changes with an account: also which ones the person may open. */
const reread = ['service-accounts', 'service-audit', 'person'] as const;

export function Accounts() {
  const { t } = useReader();
  const [isAdding, setAdding] = useState(false);
  const [closed, setClosed] = useState<ServiceAccount>();
  const { data, error, refetch } = useWholeList('service-accounts', server.manage.serviceAccounts);
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return (
    <section className="panel" aria-label={t('service.accounts')}>
      <PanelHead title={t('service.accounts')}>
        <button type="button" className="primary" onClick={() => setAdding(true)}>
          {t('service.addAccount')}
        </button>
      </PanelHead>
      {data ? <AccountTable accounts={data} onClose={setClosed} /> : <Loading />}
      {isAdding && <NewAccountForm onClose={() => setAdding(false)} />}
      {closed && <ClosingForm account={closed} onClose={() => setClosed(undefined)} />}
    </section>
  );
}

interface AccountTableProps {
  readonly accounts: readonly ServiceAccount[];
  readonly onClose: (account: ServiceAccount) => void;
}

function AccountTable({ accounts, onClose }: AccountTableProps) {
  const { t, formats } = useReader();
  const { timeZone, accounts: own = [] } = usePerson();
  const reopen = useChange((id: number) => server.manage.reopenAccount(id), ...reread);
  const heads = ['name', 'id', 'timeZone', 'state', 'actions'] as const;
  return (
    <RecordTable
      caption={t('service.accounts')}
      heads={heads.map((head) => t(`service.${head}`))}
      empty={t('service.noAccounts')}
      rows={accounts.map((account) => ({
        key: account.accountId,
        cells: [
          own.some(({ accountId }) => accountId === account.accountId) ? (
            // A page of its own: of another account, nothing stays.
            <a key="name" href={inAccount('/', account.accountId)}>
              {account.name}
            </a>
          ) : (
            account.name
          ),
          account.accountId,
          account.timeZone,
          account.closedAt === null
            ? t('service.open')
            : t('service.closedAt', { at: formats.instant(account.closedAt, timeZone) }),
          account.closedAt === null ? (
            <button
              key="close"
              type="button"
              className="plain danger"
              aria-label={t('action.of', { action: t('service.close'), name: calledOf(account) })}
              onClick={() => onClose(account)}
            >
              {t('service.close')}
            </button>
          ) : (
            <ConfirmButton
              key="reopen"
              of={calledOf(account)}
              question={t('service.reopen.what')}
              act={() => reopen.mutateAsync(account.accountId)}
            >
              {t('service.reopen')}
            </ConfirmButton>
          ),
        ],
      }))}
    />
  );
}

function calledOf({ name, accountId }: ServiceAccount): string {
  return `${name} (${accountId})`;
}

function NewAccountForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useReader();
  const change = useChange(
    (fields: NewAccountFields) => server.manage.addAccount(fields),
    ...reread,
  );
  const { error } = change;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const given = { name: String(fields.get('name')), timeZone: String(fields.get('timeZone')) };
    if (await change.mutateAsync(given).catch(() => undefined)) onClose();
  };
  return (
    <Dialog title={t('service.addAccount')} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void submit(event)}>
        <p className="quiet">{t('service.addAccount.what')}</p>
        <TextField
          {...{ name: 'name', label: t('service.name'), error }}
          complaint={t('person.name.bad')}
          required
          maxLength={200}
          autoComplete="off"
        />
        <TextField
          {...{ name: 'timeZone', label: t('service.timeZone'), error }}
          what={t('account.timeZone.what')}
          complaint={t('service.badTimeZone')}
          required
          list="zones"
          defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone}
        />
        <TimeZoneList id="zones" />
        <SubmitRow change={change} text={t('form.create')} />
      </form>
    </Dialog>
  );
}

interface ClosingFormProps {
  readonly account: ServiceAccount;
  readonly onClose: () => void;
}

/** The name is typed, so that nobody closes another one by mistake. */
function ClosingForm({ account, onClose }: ClosingFormProps) {
  const { t } = useReader();
  const { mutateAsync, error, isPending } = useChange(
    async (name: string) => {
      await server.manage.closeAccount(account.accountId, name);
      return true;
    },
    ...reread,
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name'));
    if (await mutateAsync(name).catch(() => undefined)) onClose();
  };
  return (
    <Dialog title={t('service.close.title', { name: account.name })} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void submit(event)}>
        <p>{t('service.close.what')}</p>
        <TextField
          {...{ name: 'name', label: t('service.close.name', { name: account.name }), error }}
          complaint={t('service.close.wrong')}
          required
          autoComplete="off"
          spellCheck={false}
        />
        {error !== null && !isMarked(error) && <ErrorNote error={error} />}
        <div className="actions">
          <ActionButton type="submit" className="danger" isBusy={isPending}>
            {t('service.close')}
          </ActionButton>
          <button type="button" onClick={onClose}>
            {t('confirm.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
