import { useState } from 'react';
import { useReader } from '../language.tsx';
import { type QueryParameters, queryPath } from '../questions.ts';
import { fetchCsv } from '../server.ts';
import { textOf } from './error-note.tsx';
import { Icon } from './icons.tsx';

interface CsvButtonProps {
  readonly parameters: QueryParameters;
  /** Of the file, without its ending. */
  readonly name: string;
}

/** Everything that the question finds, as the interface writes it in CSV. */
export function CsvButton({ parameters, name }: CsvButtonProps) {
  const { t } = useReader();
  const [state, setState] = useState('');
  const save = async () => {
    setState(t('csv.busy'));
    try {
      const { pageSize: _, ...whole } = parameters;
      saveAs(await fetchCsv(queryPath, whole), `${name}-${whole.sdate}-${whole.edate}.csv`);
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

function saveAs(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken hold of it by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
