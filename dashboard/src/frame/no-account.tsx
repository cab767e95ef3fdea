import { useReader } from '../language.tsx';
import { OutsidePage } from './outside-page.tsx';
import { SignOutButton } from './sign-out-button.tsx';

interface NoAccountProps {
  /** The person is a member nowhere; else, not in the account that the URL names. */
  readonly hasNone: boolean;
  readonly onSignOut: () => void;
}

export function NoAccount({ hasNone, onSignOut }: NoAccountProps) {
  const { t } = useReader();
  return (
    <OutsidePage title={t(hasNone ? 'noAccount.none' : 'noAccount.title')}>
      <p>{t(hasNone ? 'noAccount.none.what' : 'noAccount.what')}</p>
      {/* A page of its own: of what was asked for, nothing stays. */}
      {!hasNone && (
        <a className="button" href="/">
          {t('noAccount.own')}
        </a>
      )}
      <SignOutButton onSignOut={onSignOut} />
    </OutsidePage>
  );
}
