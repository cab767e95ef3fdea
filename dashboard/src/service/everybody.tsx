/** All people of the service, and the links by which they set a new password. */
import { type FormEvent, useState } from 'react';
import type { Person } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { TextField } from '../frame/fields.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { SubmitRow } from '../frame/save-row.tsx';
import { ShownOnce } from '../frame/shown-once.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { useWholeList } from '../whole-lists.ts';

interface Made {
  readonly title: string;
  readonly path: string;
}

export function Everybody() {
  const { t } = useReader();
  const [link, setLink] = useState<Made>();
  const [moved, setMoved] = useState<Person>();
  const { data, error, refetch } = useWholeList('people', server.manage.people);
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
  const change = useChange((email: string) =>
    server.manage.createEmailLink(person.personId, email),
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    const made = await change.mutateAsync(email).catch(() => undefined);
    if (made) onMade(made.path);
  };
  return (
    <Dialog title={person.name} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void submit(event)}>
        <p className="quiet">{t('service.email.what')}</p>
        <TextField
          {...{ name: 'email', label: t('me.email.new'), error: change.error }}
          complaint={t('person.email.bad')}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
        <SubmitRow change={change} text={t('service.email.make')} />
      </form>
    </Dialog>
  );
}
