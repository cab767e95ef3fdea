import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import type { QuestionDesk } from '../report/query/question-desk.ts';
import {
  type ExportFormat,
  exportFormats,
  exportOfAnswer,
  exportOfFacts,
} from '../upkeep/export/exports.ts';
import { type Export, type ExportFile, writeExport } from '../upkeep/export/write-export.ts';
import type { Place } from '../upkeep/places/place.ts';
import { Fault } from '../wire/faults.ts';
import { type Arguments, WrongUsage } from './arguments.ts';
import { questionOptions, questionParameters, readAsked } from './ask-query.ts';
import { counted } from './counted.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from './options.ts';
import type { Outcome, Parts, Verb } from './verb.ts';
import { withBar } from './with-bar.ts';
import { withInterruption } from './with-interruption.ts';

export const exportVerb: Verb = {
  words: 'export',
  summary: 'Write raw facts, or the answer to a question, to files by day',
  options: {
    account: accountOption,
    facts: {
      type: 'boolean',
      description: 'Raw facts: each part of a stretch in a quarter of an hour',
    },
    format: requiredOption(`One of ${exportFormats.join(', ')}`, 'FORMAT'),
    from: optionalOption('First day; with --facts in UTC, default: all', 'DATE'),
    to: optionalOption('Last day', 'DATE'),
    measures: optionalOption('Instead of --facts: measures, as "query" takes them', 'A,B'),
    ...questionOptions,
    dest: {
      type: 'positional',
      description:
        'A folder or s3://BUCKET/PREFIX for files by day; a file whose name ends as the format; ' +
        'default: standard output',
    },
    json: jsonOption,
  },
  async run(given, parts) {
    const to = destinationOf(given, parts);
    const accountId = given.id('account');
    requireOneKind(given);
    const desk = await parts.openQuestions();
    try {
      return await withInterruption(async (signal) => {
        const form = { format: formatOf(given), isOne: to.kind !== 'place', signal };
        const { export: made, totals } = given.flag('facts')
          ? { export: await factsOf(given, accountId, desk, form), totals: undefined }
          : await answerOf(given, accountId, desk, form);
        return await writeTo(to, made, { signal, totals });
      });
    } finally {
      await desk.close();
    }
  },
};

type Form = Parameters<typeof exportOfFacts>[2];

async function factsOf(given: Arguments, accountId: number, desk: QuestionDesk, form: Form) {
  if (!(await desk.catalog.accounts.find(accountId))) {
    throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
  }
  const [firstDay, lastDay] = [dayOf(given, 'from'), dayOf(given, 'to')];
  if (firstDay !== undefined && lastDay !== undefined && firstDay > lastDay) {
    throw new WrongUsage('--from must not be after --to');
  }
  return exportOfFacts(desk, { accountId, firstDay, lastDay }, form);
}

async function answerOf(given: Arguments, accountId: number, desk: QuestionDesk, form: Form) {
  const query = await readAsked(given, accountId, desk);
  const { totals, ...made } = await exportOfAnswer(desk, query, form);
  return { export: made, totals };
}

function requireOneKind(given: Arguments): void {
  const isOfFacts = given.flag('facts');
  if (isOfFacts) {
    const ofQuestion = Object.keys(questionParameters).find(
      (option) => option !== 'from' && option !== 'to' && given.has(option),
    );
    if (ofQuestion) throw new WrongUsage(`--facts and --${ofQuestion} exclude each other`);
    return;
  }
  const missing = ['measures', 'from', 'to'].find((option) => !given.has(option));
  if (missing) throw new WrongUsage(`--facts is required, or --${missing}`);
}

function formatOf(given: Arguments): ExportFormat {
  const format = exportFormats.find((name) => name === given.text('format'));
  if (format) return format;
  throw new WrongUsage(`--format must be one of ${exportFormats.join(', ')}`);
}

function dayOf(given: Arguments, option: string): string | undefined {
  if (!given.has(option)) return undefined;
  const day = given.text(option);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
  if (isDay && new Date(day).toISOString().startsWith(day)) return day;
  throw new WrongUsage(`--${option} must be a day, as 2026-11-20, not "${day}"`);
}

type Destination =
  | { readonly kind: 'output' }
  | { readonly kind: 'file'; readonly place: Place; readonly name: string }
  | { readonly kind: 'place'; readonly place: Place };

function destinationOf(given: Arguments, parts: Parts): Destination {
  const dest = given.has('dest') ? given.text('dest') : '-';
  if (dest === '-') {
    if (given.flag('json')) throw new WrongUsage('--json needs DEST: the output has the rows');
    return { kind: 'output' };
  }
  if (!dest.endsWith(`.${formatOf(given)}`)) return { kind: 'place', place: parts.openPlace(dest) };
  return { kind: 'file', place: parts.openPlace(dirname(dest)), name: basename(dest) };
}

interface Writing {
  readonly signal: AbortSignal;
  readonly totals: object | undefined;
}

async function writeTo(
  to: Destination,
  made: Export,
  { signal, totals }: Writing,
): Promise<Outcome | undefined> {
  if (to.kind === 'output') {
    for await (const chunk of chunksOf(made.files)) {
      signal.throwIfAborted();
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain', { signal });
    }
    return undefined;
  }
  const { place } = to;
  if (to.kind === 'file') {
    const noted = { rows: 0 };
    const bytes = Readable.from(chunksOf(made.files, noted), { objectMode: false });
    const written = await place.write(to.name, bytes, { signal });
    const json = { location: `${place.location}/${to.name}`, ...noted, ...written, totals };
    return { json, lines: [`Exported: ${json.location}\t${counted(noted.rows, 'row')}`] };
  }
  const { files } = await withBar((noteProgress) =>
    writeExport(place, made, { signal, noteProgress }),
  );
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const json = { location: place.location, files: files.length, rows, bytes, totals };
  const counts = `${counted(rows, 'row')}\t${counted(files.length, 'file')}`;
  return { json, lines: [`Exported: ${place.location}\t${counts}`] };
}

async function* chunksOf(
  files: readonly ExportFile[],
  noted = { rows: 0 },
): AsyncGenerator<Uint8Array> {
  for (const { open } of files) {
    const { rows, bytes } = await open();
    noted.rows += rows;
    yield* bytes;
  }
}
