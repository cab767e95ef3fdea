/** Whom an invitation makes a member: the person who is signed in, or one that it makes. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { type OpenInvitation, PlaymeterError } from '../../../client/src/index.ts';
import { nameAccount } from '../account-in-url.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorNote, ErrorText } from '../frame/error-note.tsx';
import { isMarked, TextField } from '../frame/fields.tsx';
import { NewPasswordField } from '../frame/new-password-field.tsx';
import { OutsidePage } from '../frame/outside-page.tsx';
import {
  Complaint,
  isWrong,
  ProviderButton,
  SignInForm,
  useSending,
  waysQuery,
} from '../frame/sign-in-form.tsx';
import { useReader } from '../language.tsx';
import { acceptInvitation, openInvitation, signOut } from '../session.ts';
import type { LinkPageProps } from './link-page-props.ts';

export function InvitationPage(props: LinkPageProps) {
  const { t } = useReader();
  const { value } = props.link;
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', value],
    queryFn: () => openInvitation(value),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isWrong(error) && !data) return <Void {...props} />;
  if (error && !data) {
    return (
      <OutsidePage title={t('invitation.void')}>
        <ErrorNote error={error} retry={refetch} />
      </OutsidePage>
    );
  }
  return data === undefined ? null : <Open invitation={data} {...props} />;
}

function Void({ onLeave }: Pick<LinkPageProps, 'onLeave'>) {
  const { t } = useReader();
  return (
    <OutsidePage title={t('invitation.void')}>
      <p role="alert">{t('invitation.void.what')}</p>
      <button type="button" className="primary" onClick={onLeave}>
        {t('link.goOn')}
      </button>
    </OutsidePage>
  );
}

interface OpenProps extends LinkPageProps {
  readonly invitation: OpenInvitation;
}

function Open(props: OpenProps) {
  const { t } = useReader();
  const { accountName, inviterName, role, isNarrowed } = props.invitation;
  const { person } = props.person ?? {};
  const title =
    accountName === null ? t('first.title') : t('invitation.title', { account: accountName });
  return (
    <OutsidePage title={title}>
      {inviterName && <p dir="auto">{t('invitation.by', { name: inviterName })}</p>}
      <p className="quiet">{accountName === null ? t('first.what') : t(`role.${role}.what`)}</p>
      {isNarrowed && <p className="quiet">{t('invitation.narrowed')}</p>}
      {person ? <Join name={person.name} {...props} /> : <Newcomer {...props} />}
    </OutsidePage>
  );
}

/** Makes a member, and opens the account. */
function useAccept({ link, onSignIn }: LinkPageProps) {
  const { language } = useReader();
  return async (given: { name?: string; email?: string; password?: string } = {}) => {
    const joined = await acceptInvitation({ invitation: link.value, language, ...given });
    nameAccount(joined.accountId);
    await onSignIn();
  };
}

function Join(props: OpenProps & { readonly name: string }) {
  const { t } = useReader();
  const accept = useAccept(props);
  const { isBusy, error, submit } = useSending(() => accept());
  const { onSignIn } = props;
  const leave = useSending(async () => {
    await signOut();
    await onSignIn();
  });
  const isAnother = error instanceof PlaymeterError && error.code === 'FORBIDDEN';
  return (
    <>
      <p>{t('invitation.as', { name: props.name })}</p>
      <form onSubmit={submit}>
        <Complaint id="join">
          {error !== undefined &&
            (isAnother ? t('invitation.another') : <ErrorText error={error} />)}
        </Complaint>
        <ActionButton type="submit" className="primary" isBusy={isBusy}>
          {t('invitation.join')}
        </ActionButton>
      </form>
      <form onSubmit={leave.submit}>
        <ActionButton type="submit" className="plain" isBusy={leave.isBusy}>
          {t('invitation.somebodyElse')}
        </ActionButton>
      </form>
    </>
  );
}

/** Nobody is signed in as a person: somebody who has the address signs in first. */
function Newcomer(props: OpenProps) {
  const { t } = useReader();
  const { data: ways } = useQuery(waysQuery);
  const accept = useAccept(props);
  const { email, hasPerson } = props.invitation;
  if (ways === undefined) return null;
  if (hasPerson) {
    return (
      <>
        <p>{t('invitation.signIn')}</p>
        <SignInForm
          email={email ?? undefined}
          invitation={props.link.value}
          onSignIn={() => accept()}
        />
      </>
    );
  }
  return (
    <>
      {ways.password && <NewPerson {...props} />}
      {ways.provider !== null && (
        <ProviderButton
          provider={ways.provider}
          isPrimary={!ways.password}
          invitation={props.link.value}
        />
      )}
    </>
  );
}

function NewPerson(props: OpenProps) {
  const { t } = useReader();
  const id = useId();
  const accept = useAccept(props);
  const { email } = props.invitation;
  const { isBusy, error, submit } = useSending((fields) =>
    accept({
      name: String(fields.get('name')),
      password: String(fields.get('password')),
      ...(email === null && { email: String(fields.get('email')).trim() }),
    }),
  );
  return (
    <form onSubmit={submit}>
      <TextField
        {...{ name: 'name', label: t('person.name'), error }}
        complaint={t('person.name.bad')}
        required
        maxLength={200}
        autoComplete="name"
      />
      {email === null ? (
        <TextField
          {...{ name: 'email', label: t('person.email'), error }}
          complaint={t('person.email.bad')}
          type="email"
          required
          maxLength={254}
          autoComplete="username"
        />
      ) : (
        <TextField
          {...{ name: 'invited', label: t('person.email'), error: undefined }}
          value={email}
          readOnly
          autoComplete="username"
        />
      )}
      <NewPasswordField error={error} isFirst />
      <Complaint id={`${id}complaint`}>
        {error !== undefined &&
          !isMarked(error) &&
          (isWrong(error) ? t('invitation.void.what') : <Refusal error={error} />)}
      </Complaint>
      <ActionButton type="submit" className="primary" isBusy={isBusy}>
        {t(props.invitation.accountName === null ? 'first.begin' : 'invitation.join')}
      </ActionButton>
    </form>
  );
}

/** Somebody may have got the address since the invitation was opened. */
function Refusal({ error }: { readonly error: unknown }) {
  const { t } = useReader();
  const isUsed = error instanceof PlaymeterError && error.code === 'CONFLICT';
  return isUsed ? t('provider.email_used') : <ErrorText error={error} />;
}
