import { useState } from 'react';
import { useReader } from '../language.tsx';
import { signOut } from '../session.ts';
import { ErrorNote } from './error-note.tsx';
import { Icon } from './icons.tsx';

export function SignOutButton({ onSignOut }: { readonly onSignOut: () => void }) {
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
    <>
      <button type="button" className="plain" onClick={() => void leave()}>
        <Icon name="leave" /> {t('nav.signOut')}
      </button>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}
