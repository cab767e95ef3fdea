import { type FormEvent, useState } from 'react';
import { useReader } from '../language.tsx';
import { type Person, signInWithKey } from '../session.ts';
import { Brand } from './brand.tsx';
import { textOf } from './error-note.tsx';
import { LanguageChoice, ThemeChoice } from './preferences.tsx';

interface SignInPageProps {
  readonly isLinkVoid: boolean;
  readonly onSignIn: (person: Person | null) => void;
}

export function SignInPage({ isLinkVoid, onSignIn }: SignInPageProps) {
  const { t } = useReader();
  const [isBusy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState(isLinkVoid ? t('signIn.linkVoid') : '');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const key = String(new FormData(form).get('key')).trim();
    setBusy(true);
    try {
      onSignIn(await signInWithKey(key));
    } catch (error) {
      setComplaint(textOf(error, t));
      form.querySelector('input')?.select();
    }
    setBusy(false);
  };
  return (
    <main className="sign-in">
      <title>{`${t('signIn.title')} · Playmeter`}</title>
      <Brand />
      <h1>{t('signIn.title')}</h1>
      <p className="quiet">{t('signIn.what')}</p>
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
        <button type="submit" className="primary" disabled={isBusy}>
          {t('signIn.submit')}
        </button>
      </form>
      <details>
        <summary>{t('signIn.noKey')}</summary>
        <p>{t('signIn.howToKey')}</p>
        <code className="block">
          npm run --silent playmeter -- key create --account 1 --scopes stats:read,info:read,manage
        </code>
      </details>
      <footer>
        <LanguageChoice />
        <ThemeChoice />
        <a href="/docs">{t('nav.docs')}</a>
      </footer>
    </main>
  );
}
