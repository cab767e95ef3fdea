import { useReader } from '../language.tsx';
import type { Person } from '../session.ts';
import { Brand } from './brand.tsx';
import { LanguageChoice, ThemeChoice } from './preferences.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SignInPageProps {
  readonly isLinkVoid: boolean;
  readonly onSignIn: (person: Person | null) => void;
}

export function SignInPage({ isLinkVoid, onSignIn }: SignInPageProps) {
  const { t } = useReader();
  return (
    <main className="sign-in">
      <title>{`${t('signIn.title')} · Playmeter`}</title>
      <Brand />
      <h1>{t('signIn.title')}</h1>
      <p className="quiet">{t('signIn.what')}</p>
      <SignInForm complaint={isLinkVoid ? t('signIn.linkVoid') : ''} onSignIn={onSignIn} />
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
