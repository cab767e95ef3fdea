import { useReader } from '../language.tsx';
import { ActionButton } from './action-button.tsx';
import { ErrorNote } from './error-note.tsx';
import { isMarked } from './fields.tsx';

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

interface SubmitRowProps {
  readonly change: Omit<SaveRowProps['change'], 'isSuccess'>;
  /** On the button. */
  readonly text: string;
}

/** The end of the form of a dialog: what went wrong, unless its fields say it, and the button. */
export function SubmitRow({ change: { error, isPending }, text }: SubmitRowProps) {
  return (
    <>
      {error !== null && !isMarked(error) && <ErrorNote error={error} />}
      <div className="actions">
        <ActionButton type="submit" className="primary" isBusy={isPending}>
          {text}
        </ActionButton>
      </div>
    </>
  );
}
