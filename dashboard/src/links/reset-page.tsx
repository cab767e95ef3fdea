import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorText } from '../frame/error-note.tsx';
import { detailOf } from '../frame/fields.tsx';
import { NewPasswordField } from '../frame/new-password-field.tsx';
import { OutsidePage } from '../frame/outside-page.tsx';
import {
  CodeField,
  Complaint,
  isWrong,
  useSending,
  wantsCode,
  waysQuery,
} from '../frame/sign-in-form.tsx';
import { useReader } from '../language.tsx';
import { resetPassword } from '../session.ts';
import type { LinkPageProps } from './link-page-props.ts';

/** By a link to the person's own address; where passwords are off, it signs in alone. */
export function ResetPage({ link, onSignIn, onLeave }: LinkPageProps) {
  const { t } = useReader();
  const id = useId();
  const { data: ways } = useQuery(waysQuery);
  const [hasFactor, setFactor] = useState(false);
  const { isBusy, error, submit } = useSending(async (fields) => {
    const code = String(fields.get('code') ?? '').trim();
    const password = fields.get('password');
    try {
      await resetPassword({
        link: link.value,
        ...(password !== null && { password: String(password) }),
        ...(code && { code }),
      });
    } catch (failure) {
      if (wantsCode(failure)) setFactor(true);
      throw failure;
    }
    await onSignIn();
  });
  if (ways === undefined) return null;
  const complain = () => {
    if (error === undefined || wantsCode(error) || detailOf(error, 'password')) return null;
    if (!isWrong(error)) return <ErrorText error={error} />;
    return t(hasFactor ? 'reset.wrong' : 'reset.void');
  };
  return (
    <OutsidePage title={t(ways.password ? 'reset.title' : 'signIn.title')}>
      <form onSubmit={submit}>
        {ways.password && <p className="quiet">{t('reset.what')}</p>}
        {ways.password && <NewPasswordField error={error} />}
        {hasFactor && <CodeField />}
        <Complaint id={`${id}complaint`}>{complain()}</Complaint>
        <ActionButton type="submit" className="primary" isBusy={isBusy}>
          {t(ways.password ? 'reset.save' : 'signIn.submit')}
        </ActionButton>
      </form>
      <button type="button" className="plain" onClick={onLeave}>
        {t('forgotten.back')}
      </button>
    </OutsidePage>
  );
}
