/** The verbs for curves, and what they share: their options, their account, and how they end. */
import { type Curves, createCurves } from '../../query/curve-service.ts';
import {
  type Asker,
  readConcurrency,
  readDistribution,
  readLive,
  readRetention,
} from '../../query/parse/curve-question.ts';
import { declaredLabels } from '../../query/parse/dimension-parser.ts';
import { csvLine } from '../../query/present/csv-text.ts';
import type { QuestionContext } from '../../query/question-context.ts';
import { Fault } from '../../vocabulary/faults.ts';
import {
  concurrencyColumns,
  intervals,
  liveColumns,
  liveLists,
  maxDaysOfMinutes,
  maxParts,
  retentionColumns,
} from '../../wire/questions/curves.ts';
import {
  distributionColumns,
  distributionMeasureNames,
} from '../../wire/questions/distribution.ts';
import { type Arguments, WrongUsage } from '../runner/arguments.ts';
import {
  accountOption,
  byOptions,
  jsonOption,
  type Option,
  optionalOption,
  requiredOption,
} from '../runner/options.ts';
import { showTable } from '../runner/table-text.ts';
import type { Outcome, Parts, Verb } from '../verb.ts';

/** The parameter of each option. */
const parameters = {
  from: 'sdate',
  to: 'edate',
  'access-key': 'accessKey',
  package: 'packageId',
  filter: 'filters',
  parts: 'parts',
  interval: 'interval',
  measure: 'measure',
  compare: 'compare',
  list: 'list',
  'time-zone': 'timeZone',
} as const;

export const partsOption = optionalOption(
  `Parts that the video is cut into, 1 to ${maxParts}; default: 100`,
  'N',
);

export const intervalOption = optionalOption(
  `${intervals.join(', ')} (minutes for at most ${maxDaysOfMinutes} days); default: hour`,
  'I',
);

const rangeOptions: Record<string, Option> = {
  account: accountOption,
  from: requiredOption('First day', 'DATE'),
  to: requiredOption('Last day', 'DATE'),
};

const narrowingOptions: Record<string, Option> = {
  package: optionalOption('Only this package', 'ID'),
  filter: optionalOption('Conditions joined by ";": NAME==a,b NAME!=a NAME=@text NAME!@text', 'F'),
};

const endingOptions: Record<string, Option> = {
  'time-zone': optionalOption("Zone of days and hours; default: the account's", 'ZONE'),
  csv: { type: 'boolean', description: 'Print CSV instead of a table' },
  json: jsonOption,
};

export const retention: Verb = {
  words: 'retention',
  summary: 'Show how far people watch a video',
  options: {
    ...rangeOptions,
    'access-key': requiredOption('Original key of the video', 'K'),
    ...narrowingOptions,
    parts: partsOption,
    ...endingOptions,
  },
  async run(given, parts) {
    const data = await askCurves(given, parts, (curves, query, asker) =>
      curves.retention(readRetention(query, asker)),
    );
    const rows = data.list.map((row) => retentionColumns.map((name) => row[name]));
    if (given.flag('csv')) return createOutcome(data, csvLines(retentionColumns, rows));
    const { views, positionedViews, averageSeen, lengthMs } = data;
    const seen = averageSeen === null ? 'nothing' : `${averageSeen} of it`;
    return createOutcome(data, [
      `${views} views of ${lengthMs} ms, ${positionedViews} with positions, saw ${seen} on average`,
      ...showTable(retentionColumns, rows),
    ]);
  },
};

export const concurrency: Verb = {
  words: 'concurrency',
  summary: 'Show how many people watched at once, in every interval of a range',
  options: {
    ...rangeOptions,
    interval: intervalOption,
    'access-key': optionalOption('Only this video, by its original key', 'K'),
    ...narrowingOptions,
    ...endingOptions,
  },
  async run(given, parts) {
    const data = await askCurves(given, parts, (curves, query, asker) =>
      curves.concurrency(readConcurrency(query, asker)),
    );
    const rows = data.list.map((row) => concurrencyColumns.map((name) => row[name]));
    const lines = given.flag('csv') ? csvLines : showTable;
    return createOutcome(data, lines(concurrencyColumns, rows));
  },
};

export const distribution: Verb = {
  words: 'distribution',
  summary: 'Show how a measure is spread over views',
  options: {
    ...rangeOptions,
    measure: requiredOption(distributionMeasureNames.join(', '), 'M'),
    'access-key': optionalOption('Only this video, by its original key', 'K'),
    ...narrowingOptions,
    compare: optionalOption('With --json: previous, weekdays or year', 'C'),
    ...endingOptions,
  },
  async run(given, parts) {
    const data = await askCurves(given, parts, (curves, query, asker) =>
      curves.distribution(readDistribution(query, asker)),
    );
    const rows = data.list.map((row) => distributionColumns.map((name) => row[name]));
    if (given.flag('csv')) return createOutcome(data, csvLines(distributionColumns, rows));
    const { views, unit, mean, p50, p75, p95, p99 } = data;
    const summary = { mean, p50, p75, p95, p99 };
    const shown = Object.entries(summary).map(([name, value]) => `${name} ${value ?? 'unknown'}`);
    return createOutcome(data, [
      `${views} views, in ${unit}: ${shown.join(', ')}`,
      ...showTable(distributionColumns, rows),
    ]);
  },
};

export const live: Verb = {
  words: 'live',
  summary: 'Show who watches now: how many, which videos, and the peaks of the last minutes',
  options: {
    account: accountOption,
    list: optionalOption(`With --csv: ${liveLists.join(' or ')}; default: videos`, 'LIST'),
    ...endingOptions,
  },
  async run(given, parts) {
    const { data, list } = await askCurves(given, parts, async (curves, query, asker) => {
      const { list, ...question } = readLive(query, asker);
      const report = await curves.live(question);
      return { data: { data: report.data, list } };
    });
    const videos = data.videos.map((row) => liveColumns.videos.map((name) => row[name]));
    const minutes = data.lastMinutes.map((row) => liveColumns.lastMinutes.map((name) => row[name]));
    if (given.flag('csv')) {
      return createOutcome(data, csvLines(liveColumns[list], list === 'videos' ? videos : minutes));
    }
    return createOutcome(data, [
      `${data.playing} playing at ${data.asOf}`,
      ...['', ...showTable(liveColumns.videos, videos)],
      ...['', ...showTable(liveColumns.lastMinutes, minutes)],
    ]);
  },
};

/** `ask` takes the options that were given, by the names of their parameters. */
async function askCurves<Data>(
  given: Arguments,
  parts: Parts,
  ask: (curves: Curves, query: Record<string, string>, asker: Asker) => Promise<{ data: Data }>,
): Promise<Data> {
  if (given.flag('csv') && given.flag('json')) {
    throw new WrongUsage('--csv and --json exclude each other');
  }
  const desk = await parts.openQuestions();
  try {
    const { data } = await withAsked(given, desk, (query, asker) =>
      ask(createCurves(desk), query, asker),
    );
    return data;
  } finally {
    await desk.close();
  }
}

/** What `use` finds wrong with a parameter is said of the option. */
export async function withAsked<Value>(
  given: Arguments,
  { catalog }: Pick<QuestionContext, 'catalog'>,
  use: (query: Record<string, string>, asker: Asker) => Promise<Value>,
): Promise<Value> {
  const accountId = given.id('account');
  const account = await catalog.accounts.find(accountId);
  if (!account) throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
  const query = Object.entries(parameters).flatMap(([option, parameter]) =>
    given.has(option) ? [[parameter, given.text(option)]] : [],
  );
  const labels = await declaredLabels(catalog.labels, accountId);
  try {
    return await use(Object.fromEntries(query), { ...account, labels });
  } catch (error) {
    throw byOptions(error, parameters);
  }
}

/** In the envelope of the interface; CSV has one list alone. */
function createOutcome(data: object, lines: readonly string[]): Outcome {
  return { json: { isSuccess: true, message: '', data }, lines };
}

/** Each ends in a carriage return; the line feed comes with printing. */
function csvLines(names: readonly string[], rows: readonly (readonly unknown[])[]) {
  return [names, ...rows].map((values) => csvLine(values).slice(0, -1));
}
