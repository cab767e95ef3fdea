import { type ReactNode, useState } from 'react';
import { useReader } from '../language.tsx';
import { type Question, queryCsv } from '../questions.ts';
import { ActionButton } from './action-button.tsx';
import { ErrorText } from './error-note.tsx';
import { Icon } from './icons.tsx';
import { saveFile } from './save-file.ts';
import { type CsvTable, tableCsv } from './table-csv.ts';

interface CsvButtonProps {
  readonly parameters: Question;
  /** Of the file, without its ending. */
  readonly name: string;
}

/** Everything that the question finds, as the interface writes it in CSV. */
export function CsvButton({ parameters, name }: CsvButtonProps) {
  const { sdate, edate } = parameters;
  return <AnswerCsvButton name={`${name}-${sdate}-${edate}`} ask={() => queryCsv(parameters)} />;
}

interface TableCsvButtonProps {
  readonly name: string;
  /** Where it is listed page by page, all of them. */
  readonly table: () => CsvTable | Promise<CsvTable>;
}

/** What the interface has no CSV of: its records, under the names that it gives their members. */
export function TableCsvButton({ name, table }: TableCsvButtonProps) {
  return <AnswerCsvButton name={name} ask={async () => tableCsv(await table())} />;
}

interface AnswerCsvButtonProps {
  readonly name: string;
  readonly ask: () => Promise<string>;
}

export function AnswerCsvButton({ name, ask }: AnswerCsvButtonProps) {
  const { t } = useReader();
  const [state, setState] = useState<ReactNode>('');
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setState(t('csv.busy'));
    setBusy(true);
    try {
      // By the mark Excel reads UTF-8. It is ours to write: reading an answer drops that of `bom=1`.
      saveFile(new Blob(['\ufeff', await ask()], { type: 'text/csv' }), `${name}.csv`);
      setState('');
    } catch (error) {
      setState(<ErrorText error={error} />);
    }
    setBusy(false);
  };
  return (
    <ActionButton
      className="plain"
      isBusy={isBusy}
      title={t('csv.what')}
      onClick={() => void save()}
    >
      <Icon name="download" /> CSV <span role="status">{state}</span>
    </ActionButton>
  );
}
