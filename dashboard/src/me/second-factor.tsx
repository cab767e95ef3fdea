/** A code of an authenticator app, asked for beside the password. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewSecondFactor, OwnPerson } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { CopyButton } from '../frame/copy-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorText } from '../frame/error-note.tsx';
import { isMarked, TextField } from '../frame/fields.tsx';
import { Complaint, isWrong, useSending } from '../frame/sign-in-form.tsx';
import { useReader } from '../language.tsx';
import { whoever } from '../server.ts';
import { OwnCode, OwnPassword } from './own-proof.tsx';

type Opened = 'adding' | 'removing';

export function SecondFactor({ own }: { readonly own: OwnPerson }) {
  const { t, formats } = useReader();
  const client = useQueryClient();
  const [opened, setOpened] = useState<Opened>();
  const close = () => {
    setOpened(undefined);
    void client.invalidateQueries({ queryKey: ['own-person'] });
  };
  return (
    <section className="panel fields" aria-label={t('me.factor')}>
      <h2>{t('me.factor')}</h2>
      <p className="quiet">{t('me.factor.what')}</p>
      <p>
        {own.hasSecondFactor
          ? t('me.factor.on', { count: formats.number(own.recoveryCodes) })
          : t('me.factor.off')}
      </p>
      <div className="actions">
        {own.hasSecondFactor ? (
          <button type="button" className="danger" onClick={() => setOpened('removing')}>
            {t('me.factor.remove')}
          </button>
        ) : (
          <button type="button" onClick={() => setOpened('adding')}>
            {t('me.factor.add')}
          </button>
        )}
      </div>
      {opened === 'adding' && <Adding onClose={close} />}
      {opened === 'removing' && <Removing onClose={close} />}
    </section>
  );
}

interface StepProps {
  readonly onClose: () => void;
}

/** Password, then the picture and a code of the app, then the recovery codes. */
function Adding({ onClose }: StepProps) {
  const { t } = useReader();
  const [started, setStarted] = useState<NewSecondFactor>();
  const [codes, setCodes] = useState<readonly string[]>();
  const text = codes?.join('\n') ?? '';
  return (
    <Dialog title={t(codes ? 'me.codes' : 'me.factor')} onClose={onClose}>
      {!started && <Start onStarted={setStarted} />}
      {started && !codes && <Confirm started={started} onConfirmed={setCodes} />}
      {codes && (
        <>
          <p>{t('me.codes.what')}</p>
          <ol className="codes">
            {codes.map((one) => (
              <li key={one}>
                <code>{one}</code>
              </li>
            ))}
          </ol>
          <div className="actions">
            <CopyButton text={text} />
            <button type="button" className="primary" onClick={onClose}>
              {t('me.codes.done')}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function Start({ onStarted }: { readonly onStarted: (started: NewSecondFactor) => void }) {
  const { t } = useReader();
  const { isBusy, error, submit } = useSending(async (fields) => {
    const password = String(fields.get('password'));
    onStarted(await whoever.manage.startSecondFactor({ password }));
  });
  return (
    <form className="fields" onSubmit={submit}>
      <OwnPassword label={t('person.password')} />
      <Refusal error={error} />
      <div className="actions">
        <ActionButton type="submit" className="primary" isBusy={isBusy}>
          {t('me.next')}
        </ActionButton>
      </div>
    </form>
  );
}

interface ConfirmProps {
  readonly started: NewSecondFactor;
  readonly onConfirmed: (codes: readonly string[]) => void;
}

function Confirm({ started: { secret, uri }, onConfirmed }: ConfirmProps) {
  const { t } = useReader();
  const { data: picture } = useQuery({
    queryKey: ['qr', uri],
    queryFn: async () => (await import('uqr')).renderSVG(uri, { border: 2 }),
    gcTime: 0,
  });
  const { isBusy, error, submit } = useSending(async (fields) => {
    const code = String(fields.get('code')).trim();
    onConfirmed((await whoever.manage.confirmSecondFactor(code)).recoveryCodes);
  });
  return (
    <form className="fields" onSubmit={submit}>
      <p>{t('me.factor.scan')}</p>
      {picture && (
        <img
          className="qr"
          alt={t('me.factor.picture')}
          src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
        />
      )}
      <p className="quiet">
        {t('me.factor.secret')} <a href={uri}>{t('me.factor.open')}</a>
      </p>
      <div className="embed">
        <code className="block">{secret}</code>
        <CopyButton text={secret} />
      </div>
      <TextField
        {...{ name: 'code', label: t('me.factor.code'), error }}
        complaint={t('me.factor.badCode')}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
      />
      <Complaint id="confirm-complaint">
        {error !== undefined && !isMarked(error) && <ErrorText error={error} />}
      </Complaint>
      <div className="actions">
        <ActionButton type="submit" className="primary" isBusy={isBusy}>
          {t('me.factor.confirm')}
        </ActionButton>
      </div>
    </form>
  );
}

function Removing({ onClose }: StepProps) {
  const { t } = useReader();
  const { isBusy, error, submit } = useSending(async (fields) => {
    await whoever.manage.removeSecondFactor({
      password: String(fields.get('password')),
      code: String(fields.get('code')).trim(),
    });
    onClose();
  });
  return (
    <Dialog title={t('me.factor.remove')} onClose={onClose}>
      <form className="fields" onSubmit={submit}>
        <p>{t('me.factor.remove.what')}</p>
        <OwnPassword label={t('person.password')} />
        <OwnCode />
        <Refusal error={error} />
        <div className="actions">
          <ActionButton type="submit" className="danger" isBusy={isBusy}>
            {t('me.factor.remove')}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  const { t } = useReader();
  return (
    <Complaint id="factor-complaint">
      {error !== undefined && (isWrong(error) ? t('me.wrong') : <ErrorText error={error} />)}
    </Complaint>
  );
}
