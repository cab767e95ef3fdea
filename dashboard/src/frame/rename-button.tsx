import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useReader } from '../language.tsx';
import { Dialog } from './dialog.tsx';
import { SaveRow } from './save-row.tsx';
import { useChange } from './use-change.ts';

interface RenameButtonProps {
  /** Of what is renamed; '' if it has none, and then it need not get one. */
  readonly name: string;
  /** What a screen reader calls it, where there are several. */
  readonly of?: string;
  readonly className?: string;
  /** What follows from it, in words. */
  readonly what?: string;
  readonly rename: (name: string) => Promise<unknown>;
  /** What the page has read under these names is read again. */
  readonly reread: readonly string[];
  readonly children?: ReactNode;
}

/** Asks for another name, which is that of before until somebody writes. */
export function RenameButton(props: RenameButtonProps) {
  const { name, of, className, what, rename, reread, children } = props;
  const { t } = useReader();
  const field = useId();
  const [isOpen, setOpen] = useState(false);
  const change = useChange(
    async (wanted: string) => {
      await rename(wanted);
      return true;
    },
    ...reread,
  );
  const title = name === '' ? t('rename.do') : t('rename.title', { name });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget).get('newName'));
    if (await change.mutateAsync(wanted).catch(() => false)) setOpen(false);
  };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={of && t('action.of', { action: t('rename.do'), name: of })}
        onClick={() => setOpen(true)}
      >
        {children ?? t('rename.do')}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <form className="fields" onSubmit={(event) => void submit(event)}>
            {what !== undefined && <p className="quiet">{what}</p>}
            <label htmlFor={field}>{t('rename.name')}</label>
            <input id={field} name="newName" required={name !== ''} defaultValue={name} />
            <SaveRow change={change} isPrimary />
          </form>
        </Dialog>
      )}
    </>
  );
}
