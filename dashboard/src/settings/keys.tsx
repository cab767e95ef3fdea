import { useState } from 'react';
import type { Key, NewKey } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { RenameButton } from '../frame/rename-button.tsx';
import { ShownOnce } from '../frame/shown-once.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { useKeys } from '../whole-lists.ts';
import { NewKeyForm } from './new-key-form.tsx';

export function Keys() {
  const { t } = useReader();
  const [made, setMade] = useState<NewKey>();
  const { data, error, refetch } = useKeys();
  const rotate = useChange((keyId: number) => server.manage.rotateKey(keyId), 'keys');
  const revoke = useChange((keyId: number) => server.manage.revokeKey(keyId), 'keys');
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const live = data?.filter(({ revokedAt }) => revokedAt === null);
  return (
    <>
      <section className="panel" aria-label={t('settings.keys')}>
        <PanelHead title={t('settings.keys')}>
          <TableCsvButton
            name="keys"
            table={() =>
              tableOf(live ?? [], [
                'keyId',
                'name',
                'prefix',
                'scopes',
                'createdAt',
                'lastUsedAt',
                'expiresAt',
              ])
            }
          />
        </PanelHead>
        {data === undefined && <Loading />}
        {live && (
          <KeyTable
            keys={live}
            onRotate={async (keyId) => setMade(await rotate.mutateAsync(keyId))}
            onRevoke={(keyId) => revoke.mutateAsync(keyId)}
          />
        )}
      </section>
      <NewKeyForm onMade={setMade} />
      {made && (
        <ShownOnce title={t('keys.made')} secret={made.key} onClose={() => setMade(undefined)} />
      )}
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onRotate: (keyId: number) => Promise<unknown>;
  readonly onRevoke: (keyId: number) => Promise<unknown>;
}

function KeyTable({ keys, onRotate, onRevoke }: KeyTableProps) {
  const { t, formats } = useReader();
  const { timeZone, keyId: own } = usePerson();
  const when = (instant: string | null, otherwise: string) =>
    instant === null ? otherwise : formats.instant(instant, timeZone);
  const nameOf = ({ name, prefix }: Key) => `${name || t('keys.unnamed')} (${prefix}…)`;
  const heads = ['name', 'key', 'scopes', 'lastUsed', 'expires', 'actions'] as const;
  return (
    <RecordTable
      caption={t('settings.keys')}
      heads={heads.map((head) => t(`keys.${head}`))}
      empty={t('keys.none')}
      rows={keys.map((key) => ({
        key: key.keyId,
        cells: [
          `${key.name || t('keys.unnamed')}${key.keyId === own ? ` (${t('keys.own')})` : ''}`,
          <code key="key">{key.prefix}…</code>,
          key.scopes.join(', '),
          when(key.lastUsedAt, t('keys.never')),
          when(key.expiresAt, t('keys.forever')),
          <span key="actions" className="actions">
            <RenameButton
              className="plain"
              name={key.name}
              of={nameOf(key)}
              what={t('keys.rename.what')}
              rename={(name) => server.manage.renameKey(key.keyId, name)}
              reread={['keys', 'person', 'audit']}
            />
            <ConfirmButton
              of={nameOf(key)}
              question={t('keys.rotate.what')}
              act={() => onRotate(key.keyId)}
            >
              {t('keys.rotate')}
            </ConfirmButton>
            <ConfirmButton
              of={nameOf(key)}
              question={t('keys.revoke.what')}
              act={() => onRevoke(key.keyId)}
            >
              {t('keys.revoke')}
            </ConfirmButton>
          </span>,
        ],
      }))}
    />
  );
}
