/** The pages that links of mails open, and those of the service's start. */
import { OutsidePage } from '../frame/outside-page.tsx';
import { useReader } from '../language.tsx';
import type { OpenedLink, Person } from '../session.ts';
import { ForgottenPage } from './forgotten-page.tsx';
import { InvitationPage } from './invitation-page.tsx';
import { ResetPage } from './reset-page.tsx';

export interface LinkPageProps {
  readonly link: OpenedLink;
  /** Null: nobody is signed in. */
  readonly person: Person | null;
  /** Somebody is signed in now, or somebody else. */
  readonly onSignIn: () => unknown;
  readonly onLeave: () => void;
}

export function LinkPage(props: LinkPageProps) {
  const { kind } = props.link;
  if (kind === 'invitation') return <InvitationPage {...props} />;
  if (kind === 'reset') return <ResetPage {...props} />;
  if (kind === 'forgotten') return <ForgottenPage {...props} />;
  return <Refused {...props} />;
}

/** By the provider, of whoever is signed in already. */
function Refused({ link, onLeave }: LinkPageProps) {
  const { t, textIfAny } = useReader();
  return (
    <OutsidePage title={t('signIn.title')}>
      <p className="complaint" role="alert">
        {textIfAny(`provider.${link.value}`) ?? t('provider.failed')}
      </p>
      <button type="button" className="primary" onClick={onLeave}>
        {t('link.goOn')}
      </button>
    </OutsidePage>
  );
}
