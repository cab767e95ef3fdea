import type { ButtonHTMLAttributes, MouseEvent } from 'react';

interface ActionButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** It does nothing now; unlike what is disabled, it keeps the focus. */
  readonly isOff?: boolean;
  /** What it does is under way, and is not done a second time. */
  readonly isBusy?: boolean;
}

export function ActionButton({ isOff = false, isBusy, onClick, ...others }: ActionButtonProps) {
  const isInert = isOff || isBusy;
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // A form is not sent either: Enter in one of its fields clicks its button.
    if (isInert) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      aria-disabled={isInert || undefined}
      aria-busy={isBusy || undefined}
      onClick={click}
      {...others}
    />
  );
}
