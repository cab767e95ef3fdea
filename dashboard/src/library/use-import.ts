/** Files that somebody dropped, brought in one portion after another; what fails can go on. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PlaymeterError } from '../../../client/src/index.ts';
import { addVideoOnce, ensureFolder } from '../adding/new-video.ts';
import { filmKey } from '../film/film-key.ts';
import { readFilm } from '../film/read-film.ts';
import { usePerson } from '../frame/person.tsx';
import { type MessageName, useReader } from '../language.tsx';
import { server } from '../server.ts';
import { type CsvPart, cutCsv, textOfList } from './cut-csv.ts';

/** The browser holds a list whole. */
const mostListBytes = 64 * 1_048_576;

interface Task {
  readonly file: File;
  /** Undefined: a film. */
  readonly part?: CsvPart;
}

export interface RefusedRow {
  readonly file: string;
  /** Undefined if it is the whole file. */
  readonly line?: number;
  readonly reason: string;
  /** The service says why, and says it in English. */
  readonly isInEnglish?: boolean;
}

export interface ImportState {
  readonly tasks: readonly Task[];
  readonly done: number;
  readonly imported: number;
  readonly unchanged: number;
  readonly refused: readonly RefusedRow[];
  /** Where the videos are published. */
  readonly packageIds: readonly number[];
  readonly isRunning: boolean;
  /** Why it stopped before its end. */
  readonly error: unknown;
}

type Brought = Pick<ImportState, 'imported' | 'unchanged' | 'refused'>;
type Say = (name: MessageName) => string;

const nothing: ImportState = {
  ...{ tasks: [], done: 0, imported: 0, unchanged: 0, refused: [], packageIds: [] },
  ...{ isRunning: false, error: undefined },
};

/** Into a folder that is made on the way where there is none. */
export function useImport(given: number | undefined) {
  const { t } = useReader();
  const { accountId } = usePerson();
  const client = useQueryClient();
  const [state, setState] = useState(nothing);
  const run = async (from: ImportState) => {
    let now = { ...from, isRunning: true, error: undefined as unknown };
    setState(now);
    let folderId = given;
    for (const { file, part } of now.tasks.slice(now.done)) {
      try {
        folderId = await ensureFolder(folderId, t('add.folder.usual'));
        const into = { folderId, accountId, packageIds: now.packageIds };
        const brought = part
          ? await bringPart(file.name, part, into)
          : await bringFilm(file, into, t);
        now = {
          ...now,
          done: now.done + 1,
          imported: now.imported + brought.imported,
          unchanged: now.unchanged + brought.unchanged,
          refused: [...now.refused, ...brought.refused],
        };
      } catch (error) {
        now = { ...now, error };
        break;
      }
      setState(now);
    }
    setState({ ...now, isRunning: false });
    const changed = ['videos', 'folders', 'publications', 'first-video-key'];
    await Promise.all(changed.map((name) => client.invalidateQueries({ queryKey: [name] })));
  };
  return {
    state,
    bring: async (files: readonly File[], packageIds: readonly number[]) => {
      if (state.isRunning || files.length === 0) return;
      const lists = await Promise.all(files.map((file) => tasksOf(file, t)));
      const refused = lists.flatMap((list) => ('reason' in list ? [list] : []));
      const tasks = lists.flatMap((list) => ('reason' in list ? [] : list));
      await run({ ...nothing, tasks, refused, packageIds });
    },
    goOn: () => run(state),
  };
}

async function tasksOf(file: File, t: Say): Promise<Task[] | RefusedRow> {
  // What spreadsheets keep is not what they save as text.
  if (/\.(?:xls[xmb]?|ods|numbers)$/i.test(file.name)) {
    return { file: file.name, reason: t('import.workbook') };
  }
  const isList = /^text\//.test(file.type) || /\.(?:csv|tsv|txt)$/i.test(file.name);
  if (!isList) return [{ file }];
  if (file.size > mostListBytes) return { file: file.name, reason: t('import.tooLarge') };
  const parts = cutCsv(textOfList(await file.arrayBuffer()));
  if (parts.length === 0) return { file: file.name, reason: t('import.noRows') };
  return parts.map((part) => ({ file, part }));
}

interface Place {
  readonly folderId: number;
  readonly accountId: number;
  readonly packageIds: readonly number[];
}

/** One message puts its videos into one package: for the others the same list is sent again. */
async function bringPart(
  file: string,
  part: CsvPart,
  { folderId, packageIds: [first, ...others] }: Place,
): Promise<Brought> {
  const list = { csv: part.csv, folderId };
  try {
    const answer = await server.manage.importVideos(
      first === undefined ? list : { ...list, packageId: first },
    );
    for (const packageId of others) await server.manage.importVideos({ ...list, packageId });
    const refused = answer.refusals.map(({ line, reason }) => ({
      // Each part has the header above its rows.
      ...{ file, line: line - part.headerLines - 1 + part.firstLine, reason },
      isInEnglish: true,
    }));
    return { ...answer, refused };
  } catch (error) {
    // What is wrong with the header is wrong with every part.
    if (!(error instanceof PlaymeterError) || error.code !== 'INVALID_PARAMETER') throw error;
    return {
      imported: 0,
      unchanged: 0,
      refused: [{ file, reason: error.detail, isInEnglish: true }],
    };
  }
}

async function bringFilm(
  file: File,
  { folderId, accountId, packageIds }: Place,
  t: Say,
): Promise<Brought> {
  const refuse = (reason: string) => ({
    ...{ imported: 0, unchanged: 0, refused: [{ file: file.name, reason }] },
  });
  const film = await readFilm(file);
  if (film === undefined) return refuse(t('import.noFilm'));
  const known = await filmKey(accountId, file);
  const { title, durationMs: duration, width: vWidth, height: vHeight } = film;
  const { accessKey, isNew } = await addVideoOnce({
    ...{ folderId, title, duration, vWidth, vHeight, fileSize: file.size },
    ...(known !== undefined && { accessKey: known }),
  });
  for (const packageId of packageIds) await server.manage.publish(packageId, accessKey);
  return { imported: isNew ? 1 : 0, unchanged: isNew ? 0 : 1, refused: [] };
}
