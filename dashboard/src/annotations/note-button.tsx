import { lazy, Suspense, useState } from 'react';
import { useMay } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import type { NoteDialogProps } from './note-dialog-props.ts';

const Dialog = lazy(() => import('./note-dialog.tsx'));

/** Loaded once somebody opens it. */
export function NoteDialog(props: NoteDialogProps) {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  );
}

interface NoteButtonProps {
  /** The local time that the note begins with, when it is clicked. */
  readonly timeOf: () => string;
  readonly accessKey: string | undefined;
}

export function NoteButton({ timeOf, accessKey }: NoteButtonProps) {
  const { t } = useReader();
  const mayWrite = useMay('manager');
  const [at, setAt] = useState<string>();
  if (!mayWrite) return null;
  return (
    <>
      <button type="button" className="plain" onClick={() => setAt(timeOf())}>
        {t('note.add')}
      </button>
      {at !== undefined && (
        <NoteDialog at={at} accessKey={accessKey} onClose={() => setAt(undefined)} />
      )}
    </>
  );
}
