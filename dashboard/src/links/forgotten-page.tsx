import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorText } from '../frame/error-note.tsx';
import { OutsidePage } from '../frame/outside-page.tsx';
import { Complaint, useSending, waysQuery } from '../frame/sign-in-form.tsx';
import { useReader } from '../language.tsx';
import { sendForgotten } from '../session.ts';
import type { LinkPageProps } from './link-page-props.ts';

/** Says the same whether somebody has the address or not. */
export function ForgottenPage({ onLeave }: LinkPageProps) {
  const { t } = useReader();
  const { data: ways } = useQuery(waysQuery);
  const [isSent, setSent] = useState(false);
  return (
    <OutsidePage title={t('forgotten.title')}>
      {isSent && <p role="status">{t('forgotten.sent')}</p>}
      {!isSent && ways?.mail === false && <p>{t('forgotten.noMail')}</p>}
      {!isSent && ways?.mail && <AddressForm onSent={() => setSent(true)} />}
      <button type="button" className="plain" onClick={onLeave}>
        {t('forgotten.back')}
      </button>
    </OutsidePage>
  );
}

function AddressForm({ onSent }: { readonly onSent: () => void }) {
  const { t } = useReader();
  const id = useId();
  const { isBusy, error, submit } = useSending(async (fields) => {
    await sendForgotten(String(fields.get('email')).trim());
    onSent();
  });
  return (
    <form onSubmit={submit}>
      <p className="quiet">{t('forgotten.what')}</p>
      <label htmlFor={id}>{t('person.email')}</label>
      <input
        id={id}
        name="email"
        type="email"
        required
        maxLength={254}
        autoComplete="username"
        aria-describedby={`${id}complaint`}
      />
      <Complaint id={`${id}complaint`}>
        {error !== undefined && <ErrorText error={error} />}
      </Complaint>
      <ActionButton type="submit" className="primary" isBusy={isBusy}>
        {t('forgotten.send')}
      </ActionButton>
    </form>
  );
}
