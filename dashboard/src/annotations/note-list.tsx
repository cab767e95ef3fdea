/** The notes of a chart in words, each with what may be done with it. */
import { useState } from 'react';
import type { Annotation } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { useMay, usePerson } from '../frame/person.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { NoteDialog } from './note-button.tsx';
import type { ShownNote } from './use-chart-notes.ts';

interface NoteListProps {
  readonly notes: readonly ShownNote[];
  /** Of the page. */
  readonly accessKey: string | undefined;
}

export default function NoteList({ notes, accessKey }: NoteListProps) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const mayWrite = useMay('manager');
  const [changed, setChanged] = useState<Annotation>();
  const { mutateAsync } = useChange(
    (annotationId: number) => server.manage.deleteAnnotation(annotationId),
    'annotations',
  );
  /** Two may have the same text. */
  const nameOf = (text: string, at: string) => `${text}, ${formats.instant(at, timeZone)}`;
  return (
    <div className="notes">
      <h3>{t('note.list')}</h3>
      <ul>
        {notes.map(({ key, at, until, text, about, annotation }) => (
          <li key={key}>
            <span className="quiet">
              <NoteTime {...{ at, until, timeZone }} />
              {annotation && ` · ${t(`note.kind.${annotation.kind}`)}`}
              {about !== '' && about !== accessKey && ` · ${about}`}
            </span>{' '}
            <span dir="auto">{text}</span>
            {annotation && mayWrite && (
              <span className="note-actions">
                <button
                  type="button"
                  className="plain"
                  aria-label={t('action.of', { action: t('form.change'), name: nameOf(text, at) })}
                  onClick={() => setChanged(annotation)}
                >
                  {t('form.change')}
                </button>
                <ConfirmButton
                  of={nameOf(text, at)}
                  question={t('note.delete.what')}
                  act={() => mutateAsync(annotation.annotationId)}
                >
                  {t('form.delete')}
                </ConfirmButton>
              </span>
            )}
          </li>
        ))}
      </ul>
      {changed && (
        <NoteDialog
          annotation={changed}
          accessKey={accessKey}
          onClose={() => setChanged(undefined)}
        />
      )}
    </div>
  );
}

interface NoteTimeProps {
  readonly at: string;
  readonly until: string | null;
  readonly timeZone: string;
}

function NoteTime({ at, until, timeZone }: NoteTimeProps) {
  const { formats } = useReader();
  const [from, to] = [at, until ?? at].map((instant) => formats.instant(instant, timeZone));
  return <time dateTime={at}>{from === to ? from : `${from} – ${to}`}</time>;
}
