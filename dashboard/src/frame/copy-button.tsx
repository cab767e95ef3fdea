import { useEffect, useState } from 'react';
import { useReader } from '../language.tsx';

const shownMs = 2_000;

interface CopyButtonProps {
  readonly text: string;
  /** What it is, for screen readers, where there are several. */
  readonly name?: string | undefined;
}

export function CopyButton({ text, name }: CopyButtonProps) {
  const { t } = useReader();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // Only a page over TLS, or on the same machine, may write to the clipboard.
  if (navigator.clipboard === undefined) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const action = t(isCopied ? 'copy.done' : 'copy.do');
  return (
    <>
      <button
        type="button"
        aria-label={name && t('action.of', { action, name })}
        onClick={() => void copy()}
      >
        {action}
      </button>
      {/* Beside it: a button is not called by a status within it. */}
      <span className="hidden" role="status">
        {isCopied && t('copy.done')}
      </span>
    </>
  );
}
