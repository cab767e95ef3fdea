/** The names under which pages may report values of their own. */
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ActionButton } from '../frame/action-button.tsx';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { RenameButton } from '../frame/rename-button.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

export function Labels() {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { data, error, refetch } = useQuery({
    queryKey: ['labels'],
    queryFn: ({ signal }) => server.manage.labels({ pageSize: 1_000 }, { signal }),
  });
  const remove = useChange((id: number) => server.manage.deleteLabel(id), 'labels', 'schema');
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const heads = ['name', 'declared', 'actions'] as const;
  return (
    <>
      <NewLabel />
      <section className="panel" aria-label={t('settings.labels')}>
        <PanelHead title={t('settings.labels')}>
          <TableCsvButton
            name="labels"
            table={() => tableOf(data?.list ?? [], ['labelId', 'name', 'declaredAt'])}
          />
        </PanelHead>
        <p className="quiet">{t('labels.what')}</p>
        {data === undefined && <Loading />}
        {data && (
          <RecordTable
            caption={t('settings.labels')}
            heads={heads.map((head) => t(`labels.${head}`))}
            empty={t('labels.none')}
            rows={data.list.map((label) => ({
              key: label.labelId,
              cells: [
                label.name,
                formats.instant(label.declaredAt, timeZone),
                <span key="actions" className="actions">
                  <RenameButton
                    className="plain"
                    name={label.name}
                    of={label.name}
                    what={t('labels.rename.what')}
                    rename={(name) => server.manage.renameLabel(label.labelId, name)}
                    reread={['labels', 'schema', 'query']}
                  />
                  <ConfirmButton
                    of={label.name}
                    question={t('labels.delete.what')}
                    act={() => remove.mutateAsync(label.labelId)}
                  >
                    {t('form.delete')}
                  </ConfirmButton>
                </span>,
              ],
            }))}
          />
        )}
      </section>
    </>
  );
}

function NewLabel() {
  const { t } = useReader();
  const { mutateAsync, error, isPending } = useChange(
    (name: string) => server.manage.addLabel({ name }),
    ...['labels', 'schema'],
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('labelName'));
    if (await mutateAsync(name).catch(() => undefined)) form.reset();
  };
  return (
    <form className="panel inline" onSubmit={(event) => void submit(event)}>
      <label htmlFor="labelName">{t('labels.new')}</label>
      <input id="labelName" name="labelName" required />
      <ActionButton type="submit" isBusy={isPending}>
        {t('form.create')}
      </ActionButton>
      {error && <ErrorNote error={error} />}
    </form>
  );
}
