import { useRef, useState } from 'react';
import { type OwnPerson, PlaymeterError } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorText } from '../frame/error-note.tsx';
import { detailOf, TextField } from '../frame/fields.tsx';
import { Complaint, isWrong, useSending } from '../frame/sign-in-form.tsx';
import { useReader } from '../language.tsx';
import { whoever } from '../server.ts';
import { OwnCode, OwnPassword } from './own-proof.tsx';

interface EmailFormProps {
  readonly own: OwnPerson;
  /** Whether the service sends mails. */
  readonly canMail: boolean;
}

export function EmailForm({ own, canMail }: EmailFormProps) {
  const { t } = useReader();
  if (canMail) return <Sending own={own} />;
  return (
    <section className="panel fields" aria-label={t('person.email')}>
      <h2>{t('person.email')}</h2>
      <p className="quiet">{t('me.email.noMail')}</p>
    </section>
  );
}

function Sending({ own }: Pick<EmailFormProps, 'own'>) {
  const { t } = useReader();
  const form = useRef<HTMLFormElement>(null);
  const [sentTo, setSentTo] = useState('');
  const { isBusy, error, submit } = useSending(async (fields) => {
    setSentTo('');
    const text = (name: string) => String(fields.get(name) ?? '');
    const email = text('email').trim();
    await whoever.manage.changeOwnEmail({
      email,
      ...(own.hasPassword && { password: text('password') }),
      ...(own.hasSecondFactor && { code: text('code').trim() }),
    });
    form.current?.reset();
    setSentTo(email);
  });
  const complain = () => {
    if (error === undefined || detailOf(error, 'email')) return null;
    if (isWrong(error)) return t('me.wrong');
    const isStale = error instanceof PlaymeterError && error.code === 'CONFLICT';
    return isStale ? t('me.email.stale') : <ErrorText error={error} />;
  };
  return (
    <form ref={form} className="panel fields" aria-label={t('person.email')} onSubmit={submit}>
      <h2>{t('person.email')}</h2>
      <p className="quiet">{t('me.email.what')}</p>
      <TextField
        {...{ name: 'email', label: t('me.email.new'), error, complaint: t('person.email.bad') }}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
      />
      {own.hasPassword && <OwnPassword />}
      {own.hasSecondFactor && <OwnCode />}
      <Complaint id="email-complaint">{complain()}</Complaint>
      <div className="actions">
        <ActionButton type="submit" isBusy={isBusy}>
          {t('forgotten.send')}
        </ActionButton>
        <span role="status">{sentTo && t('me.email.sent', { email: sentTo })}</span>
      </div>
    </form>
  );
}
