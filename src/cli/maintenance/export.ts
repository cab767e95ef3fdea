import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { untilAborted } from '../../lib/tasks/abortable.ts';
import { counted } from '../../lib/values/counted.ts';
import {
  type Export,
  type ExportFile,
  writeExport,
} from '../../maintenance/export/export-writer.ts';
import {
  type ExportFormat,
  type ExportOfAnswer,
  exportFormats,
  exportOfAnswer,
  exportOfConcurrency,
  exportOfFacts,
  exportOfRetention,
} from '../../maintenance/export/exports.ts';
import type { Place } from '../../maintenance/storage/storage-target.ts';
import { readConcurrency, readRetention } from '../../query/parse/curve-question.ts';
import type { QuestionContext } from '../../query/question-context.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { intervalOption, partsOption, withAsked } from '../questions/curves.ts';
import { questionOptions, readAsked } from '../questions/query-question.ts';
import { type Arguments, WrongUsage } from '../runner/arguments.ts';
import { withBar } from '../runner/input.ts';
import { withInterruption } from '../runner/interruption.ts';
import {
  accountOption,
  jsonOption,
  type Option,
  optionalOption,
  requiredOption,
} from '../runner/options.ts';
import type { Outcome, Parts, Verb } from '../verb.ts';

const options: Record<string, Option> = {
  account: accountOption,
  facts: {
    type: 'boolean',
    description: 'Raw facts: each part of a stretch in a quarter of an hour',
  },
  format: requiredOption(`One of ${exportFormats.join(', ')}`, 'FORMAT'),
  from: optionalOption('First day; with --facts in UTC, default: all', 'DATE'),
  to: optionalOption('Last day', 'DATE'),
  measures: optionalOption('Instead of --facts: measures, as "query" takes them', 'A,B'),
  curve: optionalOption(
    'Instead of --facts: retention (of the video --access-key) or concurrency',
    'CURVE',
  ),
  ...questionOptions,
  parts: partsOption,
  interval: intervalOption,
  dest: {
    type: 'positional',
    description:
      'A folder or s3://BUCKET/PREFIX for files by day; a file whose name ends as the format; ' +
      'default: standard output',
  },
  json: jsonOption,
};

export const exportVerb: Verb = {
  words: 'export',
  summary: 'Write raw facts, the answer to a question, or a curve, to files by day',
  options,
  async run(given, parts) {
    const to = readDestination(given, parts);
    const kind = readKind(given);
    const exportUntil = async (signal: AbortSignal) => {
      const desk = await parts.openQuestions();
      try {
        const form = { format: readFormat(given), isOne: to.kind !== 'place', signal };
        const made = await exportsOf[kind](given, desk, form);
        for (const line of made.notes ?? []) parts.complain(line);
        return await writeTo(to, made, signal);
      } finally {
        await desk.close();
      }
    };
    // Interrupted, it says so at once, whether or not the store answers.
    return withInterruption((signal) => untilAborted(exportUntil(signal), signal));
  },
};

type Form = Parameters<typeof exportOfFacts>[2];
type Kind = 'facts' | 'question' | 'retention' | 'concurrency';
/** Facts have no totals. */
type Made = Export & Partial<Pick<ExportOfAnswer, 'totals' | 'notes'>>;

const exportsOf: Readonly<
  Record<Kind, (given: Arguments, desk: QuestionContext, form: Form) => Promise<Made>>
> = {
  async facts(given, desk, form) {
    const accountId = given.id('account');
    if (!(await desk.catalog.accounts.find(accountId))) {
      throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
    }
    const [firstDay, lastDay] = [given.day('from'), given.day('to')];
    if (firstDay !== undefined && lastDay !== undefined && firstDay > lastDay) {
      throw new WrongUsage('--from must not be after --to');
    }
    return exportOfFacts(desk, { accountId, firstDay, lastDay }, form);
  },
  async question(given, desk, form) {
    return exportOfAnswer(desk, await readAsked(given, given.id('account'), desk), form);
  },
  retention: (given, desk, form) =>
    withAsked(given, desk, async (query, asker) => {
      const question = readRetention(query, asker);
      return exportOfRetention(desk, question, form);
    }),
  concurrency: (given, desk, form) =>
    withAsked(given, desk, async (query, asker) => {
      const question = readConcurrency(query, asker);
      return exportOfConcurrency(desk, question, form);
    }),
};

/** By kind: what it needs, and what it takes besides. */
const optionsOfKinds: Readonly<Record<Kind, Readonly<Record<'needs' | 'takes', string[]>>>> = {
  facts: { needs: ['facts'], takes: ['from', 'to'] },
  question: { needs: ['measures', 'from', 'to'], takes: Object.keys(questionOptions) },
  retention: {
    needs: ['curve', 'from', 'to', 'access-key'],
    takes: ['package', 'filter', 'time-zone', 'parts'],
  },
  concurrency: {
    needs: ['curve', 'from', 'to'],
    takes: ['package', 'filter', 'time-zone', 'access-key', 'interval'],
  },
};

const optionsOfAny = ['account', 'format', 'dest', 'json'];

function readKind(given: Arguments): Kind {
  const kind = given.flag('facts') ? 'facts' : given.has('curve') ? readCurve(given) : 'question';
  const { needs, takes } = optionsOfKinds[kind];
  const chosenBy = needs[0];
  const other = Object.keys(options).find(
    (name) => given.has(name) && ![...optionsOfAny, ...needs, ...takes].includes(name),
  );
  const missing = needs.find((name) => !given.has(name));
  if (kind === 'question' && missing) {
    throw new WrongUsage(`--facts or --curve is required, or --${missing}`);
  }
  if (other) throw new WrongUsage(`--${chosenBy} and --${other} exclude each other`);
  if (missing) throw new WrongUsage(`--${missing} is required`);
  return kind;
}

function readCurve(given: Arguments): Kind {
  const curve = given.text('curve');
  if (curve === 'retention' || curve === 'concurrency') return curve;
  throw new WrongUsage(`--curve must be retention or concurrency, not "${curve}"`);
}

function readFormat(given: Arguments): ExportFormat {
  const format = exportFormats.find((name) => name === given.text('format'));
  if (format) return format;
  throw new WrongUsage(`--format must be one of ${exportFormats.join(', ')}`);
}

type Destination =
  | { readonly kind: 'output' }
  | { readonly kind: 'file'; readonly place: Place; readonly name: string }
  | { readonly kind: 'place'; readonly place: Place };

function readDestination(given: Arguments, parts: Parts): Destination {
  const dest = given.has('dest') ? given.text('dest') : '-';
  if (dest === '-') {
    if (given.flag('json')) throw new WrongUsage('--json needs DEST: the output has the rows');
    return { kind: 'output' };
  }
  if (!dest.endsWith(`.${readFormat(given)}`))
    return { kind: 'place', place: parts.openPlace(dest) };
  return { kind: 'file', place: parts.openPlace(dirname(dest)), name: basename(dest) };
}

async function writeTo(
  to: Destination,
  { totals, ...made }: Made,
  signal: AbortSignal,
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
    const written = await withBar((noteProgress) => {
      const chunks = chunksOf(made.files, noted, noteProgress);
      return place.write(to.name, Readable.from(chunks, { objectMode: false }), { signal });
    });
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
  noteProgress: (share: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  for (const [index, { open }] of files.entries()) {
    const { rows, bytes } = await open();
    noted.rows += rows;
    yield* bytes;
    noteProgress((index + 1) / files.length);
  }
}
