import type { Annotation } from '../../../client/src/index.ts';

export interface NoteDialogProps {
  /** What is changed; undefined: a new one. */
  readonly annotation?: Annotation;
  /** The local time that a new one begins with. */
  readonly at?: string;
  /** Of the page. */
  readonly accessKey: string | undefined;
  readonly onClose: () => void;
}
