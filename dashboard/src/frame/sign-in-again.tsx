import { useReader } from '../language.tsx';
import type { Person } from '../session.ts';
import { Dialog } from './dialog.tsx';
import { usePerson } from './person.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SignInAgainProps {
  readonly onSignIn: (person: Person | null) => void;
  /** Gives up what is open. */
  readonly onLeave: () => void;
}

/** Over the page that was open when the session ended: it stays, with what was typed into it. */
export function SignInAgain({ onSignIn, onLeave }: SignInAgainProps) {
  const { t } = useReader();
  const { name } = usePerson();
  return (
    <Dialog title={t('signIn.again')}>
      <p>{t('signIn.again.what', { name })}</p>
      <div className="sign-in-again">
        <SignInForm onSignIn={onSignIn} />
        <button type="button" className="plain" onClick={onLeave}>
          {t('signIn.leave')}
        </button>
      </div>
    </Dialog>
  );
}
