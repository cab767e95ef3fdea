/** Lists and films, dropped anywhere on the page or chosen; an import goes on while its dialog is closed. */
import { useEffect, useId, useRef, useState } from 'react';
import type { Folder } from '../../../client/src/index.ts';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { PackageChoice } from '../frame/package-choice.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useReader } from '../language.tsx';
import { type ImportState, type RefusedRow, useImport } from './use-import.ts';

/** More are in the file that the button saves. */
const shownRefusals = 100;

interface ImportProps {
  /** Undefined: one is made on the way. */
  readonly folder: Folder | undefined;
}

export function Import({ folder }: ImportProps) {
  const { t } = useReader();
  const { state, bring, goOn } = useImport(folder?.folderId);
  const [isOpen, setOpen] = useState(false);
  const [packageIds, setPackageIds] = useState<readonly number[]>([]);
  const [input, what] = [useId(), useId()];
  const take = (files: readonly File[]) => {
    setOpen(true);
    return bring(files, packageIds);
  };
  useDropped(take);
  return (
    <>
      <button type="button" aria-busy={state.isRunning || undefined} onClick={() => setOpen(true)}>
        {t('import.title')}
      </button>
      {isOpen && (
        <Dialog title={t('import.title')} onClose={() => setOpen(false)} isWide>
          <div className="import">
            <div className="drop">
              <label htmlFor={input}>
                {t('import.drop', { folder: folder?.folderName ?? t('add.folder.usual') })}
              </label>
              <p id={what} className="quiet">
                {t('import.what')}
              </p>
              <input
                id={input}
                aria-describedby={what}
                type="file"
                multiple
                accept=".csv,.tsv,.txt,text/csv,video/*"
                aria-disabled={state.isRunning || undefined}
                onChange={({ currentTarget }) => {
                  void take([...(currentTarget.files ?? [])]);
                  currentTarget.value = '';
                }}
              />
              <PackageChoice
                legend={t('import.packages')}
                chosen={packageIds}
                onChoose={setPackageIds}
              />
            </div>
            <Progress state={state} />
            {state.error !== undefined && (
              <>
                <p>{t('import.stopped')}</p>
                <ErrorNote error={state.error} retry={goOn} />
              </>
            )}
            {state.refused.length > 0 && <Refused rows={state.refused} />}
          </div>
        </Dialog>
      )}
    </>
  );
}

function Progress({ state }: { readonly state: ImportState }) {
  const { t, formats } = useReader();
  const { tasks, done, imported, unchanged, refused, isRunning } = state;
  return (
    <>
      {isRunning && <progress max={tasks.length} value={done} aria-label={t('import.progress')} />}
      <p role="status">
        {(tasks.length > 0 || refused.length > 0) &&
          t('import.counts', {
            imported: formats.number(imported),
            unchanged: formats.number(unchanged),
            refused: formats.number(refused.length),
          })}
      </p>
    </>
  );
}

function Refused({ rows }: { readonly rows: readonly RefusedRow[] }) {
  const { t, formats } = useReader();
  const isMore = rows.length > shownRefusals;
  const heads = [t('import.file'), t('import.line'), t('import.reason')];
  return (
    <>
      <RecordTable
        caption={t('import.refused')}
        heads={heads}
        empty=""
        rows={rows.slice(0, shownRefusals).map(({ file, line, reason, isInEnglish }, index) => ({
          key: index,
          cells: [
            file,
            line === undefined ? '' : formats.number(line),
            <span key="reason" lang={isInEnglish ? 'en' : undefined}>
              {reason}
            </span>,
          ],
        }))}
      />
      <p>
        {t('import.correct')}{' '}
        {isMore ? t('import.more', { count: formats.number(rows.length) }) : ''}{' '}
        <TableCsvButton
          name="refused-rows"
          table={() => ({
            heads,
            rows: rows.map(({ file, line, reason }) => [file, line, reason]),
          })}
        />
      </p>
    </>
  );
}

/** Files dropped anywhere: otherwise the browser would leave the page and show them. */
function useDropped(take: (files: readonly File[]) => Promise<void>): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const isOfFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files');
    const over = (event: DragEvent) => {
      if (isOfFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!isOfFiles(event)) return;
      event.preventDefault();
      void latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, []);
}
