import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';
import { useReader } from '../language.tsx';
import { Icon } from './icons.tsx';

interface PanelMenuProps {
  /** Of the panel. */
  readonly name: string;
  readonly children: ReactNode;
}

/** What is seldom wanted of a panel: its files and its explanation, behind one button. */
export function PanelMenu({ name, children }: PanelMenuProps) {
  const { t } = useReader();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const closeAtEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  /** What is opened below the head is not to lie behind it. */
  const closeAtOpening = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('[aria-expanded]') === null) return;
    setOpen(false);
    button.current?.focus();
  };
  const closeOutside = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it closes what its button has opened
    <div className="panel-menu" onKeyDown={closeAtEscape} onBlur={closeOutside}>
      <button
        ref={button}
        type="button"
        className="plain menu-button"
        aria-label={t('panel.menu', { name })}
        title={t('panel.menu', { name })}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        // A click between its buttons leaves it open.
        // biome-ignore lint/a11y/useKeyWithClickEvents: its buttons have both
        // biome-ignore lint/a11y/noStaticElementInteractions: it listens to its buttons
        <div className="panel-menu-items" id={id} tabIndex={-1} onClick={closeAtOpening}>
          {children}
        </div>
      )}
    </div>
  );
}
