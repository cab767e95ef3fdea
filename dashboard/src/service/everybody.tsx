/** All people of the service, and the links by which they set a new password. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Person } from '../../../client/src/index.ts';
import { allPages } from '../frame/all-pages.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { ShownOnce } from '../settings/shown-once.tsx';

const pageSize = 1_000;

export function Everybody() {
  const { t } = useReader();
  const [link, setLink] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey: ['everybody'],
    queryFn: ({ signal }) =>
      allPages((page) => server.manage.people({ page, pageSize }, { signal })),
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const reset = async ({ personId }: Person) => {
    const { path } = await server.manage.createReset(personId);
    setLink(location.origin + path);
  };
  const calledOf = ({ name, email }: Person) => (email === null ? name : `${name} (${email})`);
  const heads = ['name', 'email', 'actions'] as const;
  return (
    <section className="panel" aria-label={t('service.people')}>
      <PanelHead title={t('service.people')} />
      {data === undefined && <Loading />}
      {data && (
        <RecordTable
          caption={t('service.people')}
          heads={heads.map((head) => t(`people.${head}`))}
          empty={t('people.none')}
          rows={data.map((person) => ({
            key: person.personId,
            cells: [
              <span key="name">
                <bdi>{person.name}</bdi>
                {person.isOperator && <span className="tag">{t('service.operator')}</span>}
                {person.hasSecondFactor && <span className="tag">{t('people.secondFactor')}</span>}
              </span>,
              <span key="email">{person.email}</span>,
              <ConfirmButton
                key="reset"
                of={calledOf(person)}
                question={t('service.reset.what')}
                act={() => reset(person)}
              >
                {t('service.reset')}
              </ConfirmButton>,
            ],
          }))}
        />
      )}
      {link && (
        <ShownOnce
          title={t('service.reset.made')}
          secret={link}
          what={t('service.reset.once')}
          onClose={() => setLink(undefined)}
        />
      )}
    </section>
  );
}
