import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { PlaymeterError } from '../../../client/src/index.ts';
import { useReader } from '../language.tsx';
import { goToProvider, signIn, signInWays, signInWithKey } from '../session.ts';
import { ActionButton } from './action-button.tsx';
import { ErrorNote, ErrorText } from './error-note.tsx';

interface SignInFormProps {
  /** What is wrong before anything is tried. */
  readonly complaint?: string;
  /** Of whoever is expected. */
  readonly email?: string | undefined;
  /** To which the provider's person would come. */
  readonly invitation?: string;
  readonly onSignIn: () => unknown;
  readonly onForgotten?: () => void;
}

export const waysQuery = {
  queryKey: ['ways'],
  queryFn: signInWays,
  staleTime: Number.POSITIVE_INFINITY,
};

/** All ways in which somebody can sign in here. */
export function SignInForm({ complaint = '', ...props }: SignInFormProps) {
  const { t } = useReader();
  const { data: ways, error, refetch } = useQuery(waysQuery);
  if (error && !ways) return <ErrorNote error={error} retry={refetch} />;
  if (ways === undefined) return null;
  const isByPassword = ways.password && ways.hasPeople;
  const key = <KeyForm {...props} />;
  return (
    <>
      {complaint && (
        <p className="complaint" role="alert">
          {complaint}
        </p>
      )}
      {isByPassword && <PasswordForm {...props} />}
      {ways.provider !== null && (
        <ProviderButton provider={ways.provider} isPrimary={!isByPassword} {...props} />
      )}
      {ways.key &&
        (isByPassword || ways.provider !== null ? (
          <details>
            <summary>{t('signIn.byKey')}</summary>
            {key}
          </details>
        ) : (
          key
        ))}
      {!ways.hasPeople && (
        <details>
          <summary>{t('signIn.first')}</summary>
          <p>{t('signIn.first.what')}</p>
        </details>
      )}
    </>
  );
}

/** Sends what is in a form, and says beside it what is wrong. */
export function useSending(send: (fields: FormData) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    try {
      await send(new FormData(form));
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return {
    ...{ isBusy, error },
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
  };
}

/** The password was right, and the person has a second factor. */
export function wantsCode(error: unknown): boolean {
  return (
    error instanceof PlaymeterError &&
    error.code === 'UNAUTHENTICATED' &&
    error.errors.some(({ parameter }) => parameter === 'code')
  );
}

export function isWrong(error: unknown): boolean {
  return error instanceof PlaymeterError && error.code === 'UNAUTHENTICATED';
}

function PasswordForm({ email, onSignIn, onForgotten }: SignInFormProps) {
  const { t } = useReader();
  const id = useId();
  const [hasFactor, setFactor] = useState(false);
  const { isBusy, error, submit } = useSending(async (fields) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    const given = { email: text('email'), password: String(fields.get('password')) };
    const code = text('code');
    try {
      await signIn({ ...given, ...(code && { code }) });
    } catch (failure) {
      if (wantsCode(failure)) setFactor(true);
      throw failure;
    }
    await onSignIn();
  });
  return (
    <form onSubmit={submit}>
      <label htmlFor={`${id}email`}>{t('person.email')}</label>
      <input
        id={`${id}email`}
        name="email"
        type="email"
        required
        maxLength={254}
        autoComplete="username"
        defaultValue={email}
        aria-describedby={`${id}complaint`}
      />
      <label htmlFor={`${id}password`}>{t('person.password')}</label>
      <input
        id={`${id}password`}
        name="password"
        type="password"
        required
        autoComplete="current-password"
        aria-describedby={`${id}complaint`}
      />
      {hasFactor && <CodeField />}
      <Complaint id={`${id}complaint`}>
        {error !== undefined &&
          !wantsCode(error) &&
          (isWrong(error) ? (
            t(hasFactor ? 'signIn.refused.code' : 'signIn.refused')
          ) : (
            <ErrorText error={error} />
          ))}
      </Complaint>
      <ActionButton type="submit" className="primary" isBusy={isBusy}>
        {t('signIn.submit')}
      </ActionButton>
      {onForgotten && (
        <button type="button" className="plain" onClick={onForgotten}>
          {t('forgotten.open')}
        </button>
      )}
    </form>
  );
}

/** Of the app, once it is known that it is needed. */
export function CodeField() {
  const { t } = useReader();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <>
      <label htmlFor={id}>{t('person.code')}</label>
      <input
        ref={field}
        id={id}
        name="code"
        required
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={100}
        aria-describedby={`${id}what`}
      />
      <p id={`${id}what`} className="quiet">
        {t('person.code.what')}
      </p>
    </>
  );
}

export function Complaint({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="complaint" role="alert">
      {children}
    </p>
  );
}

interface ProviderButtonProps {
  /** Its host. */
  readonly provider: string;
  readonly isPrimary?: boolean;
  readonly invitation?: string;
  readonly children?: ReactNode;
}

export function ProviderButton(props: ProviderButtonProps) {
  const { provider, isPrimary = false, invitation, children } = props;
  const { t } = useReader();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const go = async () => {
    setBusy(true);
    try {
      await goToProvider(invitation);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <>
      <ActionButton
        className={isPrimary ? 'primary' : ''}
        isBusy={isBusy}
        onClick={() => void go()}
      >
        {children ?? t('signIn.byProvider', { provider })}
      </ActionButton>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}

/** The API key, exchanged for a session. */
function KeyForm({ onSignIn }: SignInFormProps) {
  const { t } = useReader();
  const { isBusy, error, submit } = useSending(async (fields) => {
    await signInWithKey(String(fields.get('key')).trim());
    await onSignIn();
  });
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (error !== undefined) field.current?.select();
  }, [error]);
  return (
    <form onSubmit={submit}>
      <p className="quiet">{t('signIn.what')}</p>
      <label htmlFor="key">{t('signIn.key')}</label>
      <input
        ref={field}
        id="key"
        name="key"
        type="password"
        required
        spellCheck={false}
        autoComplete="off"
        placeholder="pm_"
        aria-describedby="complaint"
      />
      <Complaint id="complaint">
        {error !== undefined && (isWrong(error) ? t('signIn.wrong') : <ErrorText error={error} />)}
      </Complaint>
      <ActionButton type="submit" className="primary" isBusy={isBusy}>
        {t('signIn.submit')}
      </ActionButton>
    </form>
  );
}
