import { useReader } from '../language.tsx';
import { ActionButton } from './action-button.tsx';
import { ErrorNote } from './error-note.tsx';

interface SaveRowProps {
  /** How the change went, as useChange says. */
  readonly change: {
    readonly error: unknown;
    readonly isPending: boolean;
    readonly isSuccess: boolean;
  };
  readonly isPrimary?: boolean;
}

/** The end of a form of a record: what went wrong, the button, and that it is saved. */
export function SaveRow({ change: { error, isPending, isSuccess }, isPrimary }: SaveRowProps) {
  const { t } = useReader();
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <div className="actions">
        <ActionButton type="submit" className={isPrimary ? 'primary' : ''} isBusy={isPending}>
          {t('form.save')}
        </ActionButton>
        <span role="status">{isSuccess ? t('form.saved') : ''}</span>
      </div>
    </>
  );
}
