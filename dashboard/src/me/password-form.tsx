import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OwnPerson } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorText } from '../frame/error-note.tsx';
import { detailOf } from '../frame/fields.tsx';
import { NewPasswordField } from '../frame/new-password-field.tsx';
import { Complaint, isWrong, useSending } from '../frame/sign-in-form.tsx';
import { useReader } from '../language.tsx';
import { whoever } from '../server.ts';
import { OwnCode, OwnPassword } from './own-proof.tsx';

export function PasswordForm({ own }: { readonly own: OwnPerson }) {
  const { t } = useReader();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [isDone, setDone] = useState(false);
  const { isBusy, error, submit } = useSending(async (fields) => {
    setDone(false);
    const text = (name: string) => String(fields.get(name) ?? '');
    await whoever.manage.changeOwnPassword({
      password: text('password'),
      ...(own.hasPassword && { formerPassword: text('formerPassword') }),
      ...(own.hasSecondFactor && { code: text('code').trim() }),
    });
    form.current?.reset();
    setDone(true);
    await client.invalidateQueries({ queryKey: ['own-person'] });
    await client.invalidateQueries({ queryKey: ['own-sessions'] });
  });
  const isMarked = detailOf(error, 'password') !== undefined;
  return (
    <form ref={form} className="panel fields" aria-label={t('me.password')} onSubmit={submit}>
      <h2>{t('me.password')}</h2>
      <p className="quiet">{t('me.password.what')}</p>
      {own.hasPassword && <OwnPassword name="formerPassword" />}
      <NewPasswordField error={error} isFirst={!own.hasPassword} />
      {own.hasSecondFactor && <OwnCode />}
      <Complaint id="password-complaint">
        {error !== undefined &&
          !isMarked &&
          (isWrong(error) ? t('me.wrong') : <ErrorText error={error} />)}
      </Complaint>
      <div className="actions">
        <ActionButton type="submit" isBusy={isBusy}>
          {t('reset.save')}
        </ActionButton>
        <span role="status">{isDone ? t('me.password.done') : ''}</span>
      </div>
    </form>
  );
}
