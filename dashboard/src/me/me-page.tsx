/** What people see and change of themselves. */
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { OwnPerson, PersonChanges } from '../../../client/src/index.ts';
import { type Language, languages } from '../chosen-language.ts';
import { ErrorNote } from '../frame/error-note.tsx';
import { ChoiceField, TextField } from '../frame/fields.tsx';
import { Loading } from '../frame/loading.tsx';
import { NotHere } from '../frame/not-here.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { SaveRow } from '../frame/save-row.tsx';
import { ProviderButton, waysQuery } from '../frame/sign-in-form.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { EmailForm } from './email-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export function MePage() {
  const { person } = usePerson();
  return person ? <Own name={person.name} /> : <NotHere />;
}

function Own({ name }: { readonly name: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['own-person'],
    queryFn: ({ signal }) => server.manage.ownPerson({ signal }),
  });
  const { data: ways } = useQuery(waysQuery);
  return (
    <>
      <PageHead title={name} detail={data?.email} />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <NameForm own={data} />
          {ways && <EmailForm own={data} canMail={ways.mail} />}
          {ways?.password && <PasswordForm own={data} />}
          {ways?.password && data.hasPassword && <SecondFactor own={data} />}
          {ways && ways.provider !== null && <Provider provider={ways.provider} />}
          <Sessions />
        </>
      )}
    </>
  );
}

function NameForm({ own }: { readonly own: OwnPerson }) {
  const { t, setLanguage } = useReader();
  const change = useChange(
    (changes: PersonChanges) => server.manage.changeOwnPerson(changes),
    ...['own-person', 'person', 'members'],
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const language = String(fields.get('language')) as Language;
    const changes = { name: String(fields.get('name')), language };
    if (await change.mutateAsync(changes).catch(() => undefined)) setLanguage(language);
  };
  const names = Object.entries(languages) as [Language, string][];
  return (
    <form
      className="panel fields"
      aria-label={t('me.you')}
      onSubmit={(event) => void submit(event)}
    >
      <h2>{t('me.you')}</h2>
      <TextField
        {...{ name: 'name', label: t('person.name'), error: change.error }}
        complaint={t('person.name.bad')}
        required
        maxLength={200}
        autoComplete="name"
        defaultValue={own.name}
      />
      <ChoiceField
        {...{ name: 'language', label: t('me.language'), error: change.error }}
        defaultValue={own.language}
        options={names.map(([value, called]) => ({ value, name: called }))}
      />
      <SaveRow change={change} isPrimary />
    </form>
  );
}

/** Binds an identity of the OIDC provider to whoever is signed in. */
function Provider({ provider }: { readonly provider: string }) {
  const { t } = useReader();
  return (
    <section className="panel fields" aria-label={t('me.provider')}>
      <h2>{t('me.provider')}</h2>
      <p className="quiet">{t('me.provider.what', { provider })}</p>
      <div className="actions">
        <ProviderButton provider={provider}>{t('me.provider.bind')}</ProviderButton>
      </div>
    </section>
  );
}
