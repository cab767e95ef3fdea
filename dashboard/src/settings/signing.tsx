/** What the tokens of signed views are checked with. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NewSigningKey, SigningKey, SigningKeyFields } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { ShownOnce } from '../frame/shown-once.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

export function Signing() {
  const { t } = useReader();
  const [made, setMade] = useState<NewSigningKey>();
  const { data, error, refetch } = useQuery({
    queryKey: ['signing-keys'],
    queryFn: ({ signal }) => server.manage.signingKeys({ signal }),
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return (
    <>
      <section className="panel" aria-label={t('settings.signing')}>
        <PanelHead title={t('settings.signing')}>
          <TableCsvButton
            name="signing"
            table={() =>
              tableOf(data ?? [], ['signingKeyId', 'algorithm', 'createdAt', 'expiresAt'])
            }
          />
        </PanelHead>
        <p className="quiet">
          {t('signing.what')} <Link href="/settings/packages">{t('settings.packages')}</Link>
        </p>
        {data ? <SigningTable keys={data} onMade={setMade} /> : <Loading />}
      </section>
      <NewSecret onMade={setMade} />
      <NewPublicKey />
      {made?.secret && (
        <ShownOnce
          title={t('signing.made')}
          secret={made.secret}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

interface SigningTableProps {
  readonly keys: readonly SigningKey[];
  readonly onMade: (made: NewSigningKey) => void;
}

function SigningTable({ keys, onMade }: SigningTableProps) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const rotate = useChange((id: number) => server.manage.rotateSigningKey(id), 'signing-keys');
  const remove = useChange((id: number) => server.manage.deleteSigningKey(id), 'signing-keys');
  const heads = ['id', 'kind', 'added', 'state', 'actions'] as const;
  const stateOf = ({ isReadable, expiresAt }: SigningKey) => {
    if (!isReadable) return t('signing.unreadable');
    return expiresAt === null
      ? t('signing.valid')
      : t('signing.until', { time: formats.instant(expiresAt, timeZone) });
  };
  const nameOf = ({ algorithm, signingKeyId }: SigningKey) =>
    `${t(`signing.${algorithm}`)} ${signingKeyId}`;
  return (
    <RecordTable
      caption={t('settings.signing')}
      heads={heads.map((head) => t(`signing.${head}`))}
      empty={t('signing.none')}
      rows={keys.map((key) => ({
        key: key.signingKeyId,
        cells: [
          key.signingKeyId,
          t(`signing.${key.algorithm}`),
          formats.instant(key.createdAt, timeZone),
          stateOf(key),
          <span key="actions" className="actions">
            {key.algorithm === 'HS256' && key.expiresAt === null && (
              <ConfirmButton
                of={nameOf(key)}
                question={t('signing.rotate.what')}
                act={async () => onMade(await rotate.mutateAsync(key.signingKeyId))}
              >
                {t('keys.rotate')}
              </ConfirmButton>
            )}
            <ConfirmButton
              of={nameOf(key)}
              question={t('signing.delete.what')}
              act={() => remove.mutateAsync(key.signingKeyId)}
            >
              {t('keys.revoke')}
            </ConfirmButton>
          </span>,
        ],
      }))}
    />
  );
}

function useAdd() {
  return useChange(
    (fields: SigningKeyFields) => server.manage.addSigningKey(fields),
    'signing-keys',
  );
}

function NewSecret({ onMade }: Pick<SigningTableProps, 'onMade'>) {
  const { t } = useReader();
  const { mutateAsync, error, isPending } = useAdd();
  const make = async () => {
    const made = await mutateAsync({}).catch(() => undefined);
    if (made) onMade(made);
  };
  return (
    <section className="panel fields" aria-label={t('signing.newSecret')}>
      <h2>{t('signing.newSecret')}</h2>
      <p className="quiet">{t('signing.newSecret.what')}</p>
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <ActionButton className="primary" isBusy={isPending} onClick={() => void make()}>
          {t('signing.makeSecret')}
        </ActionButton>
      </div>
    </section>
  );
}

function NewPublicKey() {
  const { t } = useReader();
  const { mutateAsync, error, isPending } = useAdd();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const publicKey = String(new FormData(form).get('publicKey')).trim();
    if (await mutateAsync({ publicKey }).catch(() => undefined)) form.reset();
  };
  return (
    <form className="panel fields" onSubmit={(event) => void submit(event)}>
      <h2>{t('signing.newPublic')}</h2>
      <label htmlFor="publicKey">{t('signing.pem')}</label>
      <textarea
        id="publicKey"
        name="publicKey"
        required
        rows={4}
        spellCheck={false}
        placeholder="-----BEGIN PUBLIC KEY-----"
      />
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <ActionButton type="submit" isBusy={isPending}>
          {t('signing.addPublic')}
        </ActionButton>
      </div>
    </form>
  );
}
