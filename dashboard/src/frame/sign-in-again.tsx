import { useReader } from '../language.tsx';
import { Dialog } from './dialog.tsx';
import { usePerson } from './person.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SignInAgainProps {
  readonly onSignIn: () => unknown;
  /** Gives up what is open. */
  readonly onLeave: () => void;
}

/** Over the page that was open when the session ended: it stays, with what was typed into it. */
export function SignInAgain({ onSignIn, onLeave }: SignInAgainProps) {
  const { t } = useReader();
  const { name, person } = usePerson();
  return (
    <Dialog title={t('signIn.again')}>
      <p>{person ? t('signIn.again.person') : t('signIn.again.what', { name })}</p>
      <div className="sign-in-again">
        <SignInForm email={person?.email ?? undefined} onSignIn={onSignIn} />
        <button type="button" className="plain" onClick={onLeave}>
          {t('signIn.leave')}
        </button>
      </div>
    </Dialog>
  );
}
