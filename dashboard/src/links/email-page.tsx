import { useState } from 'react';
import { PlaymeterError } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorText } from '../frame/error-note.tsx';
import { OutsidePage } from '../frame/outside-page.tsx';
import { Complaint, isWrong, useSending } from '../frame/sign-in-form.tsx';
import { useReader } from '../language.tsx';
import { confirmEmail } from '../session.ts';
import type { LinkPageProps } from './link-page-props.ts';

/** By a link to the new address. It waits for a click: programs that read mails open links. */
export function EmailPage({ link, onSignIn }: LinkPageProps) {
  const { t } = useReader();
  const [isDone, setDone] = useState(false);
  const { isBusy, error, submit } = useSending(async () => {
    await confirmEmail(link.value);
    setDone(true);
  });
  return (
    <OutsidePage title={t('email.title')}>
      {isDone ? (
        <p role="status">{t('email.done')}</p>
      ) : (
        <form onSubmit={submit}>
          <p className="quiet">{t('email.what')}</p>
          <Complaint id="email-complaint">
            {error !== undefined && <Refusal error={error} />}
          </Complaint>
          <ActionButton type="submit" className="primary" isBusy={isBusy}>
            {t('email.use')}
          </ActionButton>
        </form>
      )}
      <button
        type="button"
        className={isDone ? 'primary' : 'plain'}
        onClick={() => void onSignIn()}
      >
        {t(isDone ? 'link.goOn' : 'confirm.cancel')}
      </button>
    </OutsidePage>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  const { t } = useReader();
  if (isWrong(error)) return t('reset.void');
  const isUsed = error instanceof PlaymeterError && error.code === 'CONFLICT';
  return isUsed ? t('email.used') : <ErrorText error={error} />;
}
