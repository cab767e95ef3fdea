import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useReader } from '../language.tsx';
import { Icon } from './icons.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The browser's own dialog keeps the focus inside, closes with Escape and gives the focus back. */
export function Dialog({ title, onClose, isWide, children }: DialogProps) {
  const { t } = useReader();
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const node = dialog.current;
    if (node && !node.open) node.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'wide' : ''}
      aria-labelledby={heading}
      onClose={onClose}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button
          type="button"
          className="plain"
          aria-label={t('dialog.close')}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
