import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useReader } from '../language.tsx';
import { Icon } from './icons.tsx';

interface DialogProps {
  readonly title: string;
  /** Without it, it stays until it is answered. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The browser's own dialog keeps the focus inside, closes with Escape and gives the focus back. */
export function Dialog({ title, onClose, isWide, children }: DialogProps) {
  const { t } = useReader();
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const node = dialog.current;
    node?.showModal();
    // Taken away while it is open, it would not give the focus back.
    return () => node?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'wide' : ''}
      aria-labelledby={heading}
      closedby={onClose ? 'closerequest' : 'none'}
      onCancel={(event) => {
        // Of a list of choices or a file within, it is no request to close this.
        if (!onClose && event.target === dialog.current) event.preventDefault();
      }}
      onClose={onClose}
    >
      <header>
        <h2 id={heading} dir="auto">
          {title}
        </h2>
        {onClose && (
          <button
            type="button"
            className="plain"
            aria-label={t('dialog.close')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
