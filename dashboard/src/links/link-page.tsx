/** The pages that links of mails open, and those of the service's start. */
import { OutsidePage } from '../frame/outside-page.tsx';
import { useReader } from '../language.tsx';
import { EmailPage } from './email-page.tsx';
import { ForgottenPage } from './forgotten-page.tsx';
import { InvitationPage } from './invitation-page.tsx';
import type { LinkPageProps } from './link-page-props.ts';
import { ResetPage } from './reset-page.tsx';

export function LinkPage(props: LinkPageProps) {
  const { kind } = props.link;
  if (kind === 'invitation') return <InvitationPage {...props} />;
  if (kind === 'reset') return <ResetPage {...props} />;
  if (kind === 'email') return <EmailPage {...props} />;
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
