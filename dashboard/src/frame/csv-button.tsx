import { useState } from 'react';
import { useReader } from '../language.tsx';
import { addressed, type Question, queryPath } from '../questions.ts';
import { fetchCsv } from '../server.ts';
import { textOf } from './error-note.tsx';
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
  const { pageSize: _, ...whole } = parameters;
  return (
    <SaveCsv
      name={`${name}-${whole.sdate}-${whole.edate}`}
      make={() => fetchCsv(queryPath, addressed(whole))}
    />
  );
}

interface TableCsvButtonProps {
  readonly name: string;
  /** Where it is listed page by page, all of them. */
  readonly table: () => CsvTable | Promise<CsvTable>;
}

/** What the page has in a table, as plain numbers, instants and keys. */
export function TableCsvButton({ name, table }: TableCsvButtonProps) {
  const make = async () => new Blob([tableCsv(await table())], { type: 'text/csv' });
  return <SaveCsv name={name} make={make} />;
}

interface SaveCsvProps {
  readonly name: string;
  readonly make: () => Promise<Blob>;
}

function SaveCsv({ name, make }: SaveCsvProps) {
  const { t } = useReader();
  const [state, setState] = useState('');
  const save = async () => {
    setState(t('csv.busy'));
    try {
      saveFile(await make(), `${name}.csv`);
      setState('');
    } catch (error) {
      setState(textOf(error, t));
    }
  };
  return (
    <button type="button" className="plain" title={t('csv.what')} onClick={() => void save()}>
      <Icon name="download" /> CSV <span role="status">{state}</span>
    </button>
  );
}
