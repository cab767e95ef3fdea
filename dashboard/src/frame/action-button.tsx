import type { ButtonHTMLAttributes, MouseEvent } from 'react';

interface ActionButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** It does nothing now; unlike what is disabled, it keeps the focus. */
  readonly isOff: boolean;
}

export function ActionButton({ isOff, onClick, ...others }: ActionButtonProps) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // A form is not sent either: Enter in one of its fields clicks its button.
    if (isOff) event.preventDefault();
    else onClick?.(event);
  };
  return <button type="button" aria-disabled={isOff || undefined} onClick={click} {...others} />;
}
