import { useState } from 'react';
import { useReader } from '../language.tsx';
import { ActionButton } from './action-button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

interface ConfirmButtonProps {
  /** What it does, in a word. */
  readonly children: string;
  /** To what, where there are several. */
  readonly of?: string;
  /** What will happen, in words. */
  readonly question: string;
  readonly act: () => Promise<unknown>;
}

/** For what cannot be taken back. */
export function ConfirmButton({ children, of, question, act }: ConfirmButtonProps) {
  const { t } = useReader();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async () => {
    setBusy(true);
    try {
      await act();
      setAsking(false);
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <>
      <button
        type="button"
        className="plain danger"
        aria-label={of && t('action.of', { action: children, name: of })}
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
      {isAsking && (
        <Dialog title={t('confirm.title')} onClose={() => setAsking(false)}>
          {of && (
            <p>
              <strong dir="auto">{of}</strong>
            </p>
          )}
          <p>{question}</p>
          {error !== undefined && <ErrorNote error={error} />}
          <div className="actions">
            <ActionButton className="danger" isBusy={isBusy} onClick={() => void run()}>
              {children}
            </ActionButton>
            <button type="button" onClick={() => setAsking(false)}>
              {t('confirm.cancel')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
