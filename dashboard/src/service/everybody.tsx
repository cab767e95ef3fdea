/** All people of the service, and the links by which they set a new password. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Person } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { allPages } from '../frame/all-pages.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { isMarked, TextField } from '../frame/fields.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { ShownOnce } from '../settings/shown-once.tsx';

const pageSize = 1_000;

interface Made {
  readonly title: string;
  readonly path: string;
}

export function Everybody() {
  const { t } = useReader();
  const [link, setLink] = useState<Made>();
  const [moved, setMoved] = useState<Person>();
  const { data, error, refetch } = useQuery({
    queryKey: ['everybody'],
    queryFn: ({ signal }) =>
      allPages((page) => server.manage.people({ page, pageSize }, { signal })),
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const reset = async ({ personId }: Person) => {
    const { path } = await server.manage.createReset(personId);
    setLink({ title: t('service.reset'), path });
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
              <span key="actions" className="actions wrapping">
                <ConfirmButton
                  of={calledOf(person)}
                  question={t('service.reset.what')}
                  act={() => reset(person)}
                >
                  {t('service.reset')}
                </ConfirmButton>
                <button
                  type="button"
                  className="plain"
                  aria-label={t('action.of', {
                    action: t('service.email'),
                    name: calledOf(person),
                  })}
                  onClick={() => setMoved(person)}
                >
                  {t('service.email')}
                </button>
              </span>,
            ],
          }))}
        />
      )}
      {moved && (
        <NewEmailForm
          person={moved}
          onClose={() => setMoved(undefined)}
          onMade={(path) => {
            setMoved(undefined);
            setLink({ title: t('service.email'), path });
          }}
        />
      )}
      {link && (
        <ShownOnce
          title={link.title}
          secret={location.origin + link.path}
          what={t('service.reset.once')}
          onClose={() => setLink(undefined)}
        />
      )}
    </section>
  );
}

interface NewEmailFormProps {
  readonly person: Person;
  readonly onMade: (path: string) => void;
  readonly onClose: () => void;
}

/** For where no mail is sent: the link is passed on to the person. */
function NewEmailForm({ person, onMade, onClose }: NewEmailFormProps) {
  const { t } = useReader();
  const { mutateAsync, error, isPending } = useChange((email: string) =>
    server.manage.createEmailLink(person.personId, email),
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    const made = await mutateAsync(email).catch(() => undefined);
    if (made) onMade(made.path);
  };
  return (
    <Dialog title={person.name} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void submit(event)}>
        <p className="quiet">{t('service.email.what')}</p>
        <TextField
          {...{ name: 'email', label: t('me.email.new'), error }}
          complaint={t('person.email.bad')}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
        {error !== null && !isMarked(error) && <ErrorNote error={error} />}
        <div className="actions">
          <ActionButton type="submit" className="primary" isBusy={isPending}>
            {t('service.email.make')}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
