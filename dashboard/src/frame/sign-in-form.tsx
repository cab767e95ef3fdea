import { type FormEvent, type ReactNode, useState } from 'react';
import { PlaymeterError } from '../../../client/src/index.ts';
import { useReader } from '../language.tsx';
import { type Person, signInWithKey } from '../session.ts';
import { ActionButton } from './action-button.tsx';
import { ErrorText } from './error-note.tsx';

interface SignInFormProps {
  /** What is wrong before anything is tried. */
  readonly complaint?: string;
  readonly onSignIn: (person: Person | null) => void;
}

/** The API key, exchanged for a session. */
export function SignInForm({ complaint: first = '', onSignIn }: SignInFormProps) {
  const { t } = useReader();
  const [isBusy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState<ReactNode>(first);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const key = String(new FormData(form).get('key')).trim();
    setBusy(true);
    try {
      onSignIn(await signInWithKey(key));
    } catch (error) {
      const isWrong = error instanceof PlaymeterError && error.code === 'UNAUTHENTICATED';
      setComplaint(isWrong ? t('signIn.wrong') : <ErrorText error={error} />);
      form.querySelector('input')?.select();
    }
    setBusy(false);
  };
  return (
    <form onSubmit={submit}>
      <label htmlFor="key">{t('signIn.key')}</label>
      <input
        id="key"
        name="key"
        type="password"
        required
        spellCheck={false}
        autoComplete="current-password"
        placeholder="pm_"
        aria-describedby="complaint"
      />
      <p id="complaint" className="complaint" role="alert">
        {complaint}
      </p>
      <ActionButton type="submit" className="primary" isBusy={isBusy}>
        {t('signIn.submit')}
      </ActionButton>
    </form>
  );
}
