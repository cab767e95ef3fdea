import { useState } from 'react';
import { useReader } from '../language.tsx';
import { signOut } from '../session.ts';
import { ErrorNote } from './error-note.tsx';
import { OutsidePage } from './outside-page.tsx';

interface NoAccountProps {
  /** The person is a member nowhere; else, not in the account that the URL names. */
  readonly hasNone: boolean;
  readonly onSignOut: () => void;
}

export function NoAccount({ hasNone, onSignOut }: NoAccountProps) {
  const { t } = useReader();
  const [error, setError] = useState<unknown>();
  const leave = async () => {
    try {
      await signOut();
      onSignOut();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <OutsidePage title={t(hasNone ? 'noAccount.none' : 'noAccount.title')}>
      <p>{t(hasNone ? 'noAccount.none.what' : 'noAccount.what')}</p>
      {/* A page of its own: of what was asked for, nothing stays. */}
      {!hasNone && (
        <a className="button" href="/">
          {t('noAccount.own')}
        </a>
      )}
      <button type="button" className="plain" onClick={() => void leave()}>
        {t('nav.signOut')}
      </button>
      {error !== undefined && <ErrorNote error={error} />}
    </OutsidePage>
  );
}
