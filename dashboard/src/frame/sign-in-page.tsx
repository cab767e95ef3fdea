import { useReader } from '../language.tsx';
import { OutsidePage } from './outside-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SignInPageProps {
  readonly complaint: string;
  readonly onSignIn: () => unknown;
  readonly onForgotten: () => void;
}

export function SignInPage(props: SignInPageProps) {
  const { t } = useReader();
  return (
    <OutsidePage title={t('signIn.title')}>
      <SignInForm {...props} />
    </OutsidePage>
  );
}
