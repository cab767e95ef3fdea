import { randomUUID } from 'node:crypto';
import { declaredLabels } from '../report/filters/declared-labels.ts';
import { answerQuery, type WholeAnswer } from '../report/query/answer-query.ts';
import type { Query } from '../report/query/query.ts';
import type { QuestionDesk } from '../report/query/question-desk.ts';
import { readQuery } from '../report/query/read-query.ts';
import { writeCsv } from '../report/query/write-csv.ts';
import { audienceDimension, audienceMeasureNames, recordedDimensions } from '../wire/audience.ts';
import { type QueryAnswer, QueryRequest } from '../wire/audience-messages.ts';
import { Fault } from '../wire/faults.ts';
import { readParameters } from '../wire/parameters.ts';
import { type Arguments, WrongUsage } from './arguments.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from './options.ts';
import { showTable } from './show-table.ts';
import type { Outcome, Verb } from './verb.ts';

/** The parameter of each option. */
const parameters = {
  from: 'sdate',
  to: 'edate',
  measures: 'measures',
  by: 'dimensions',
  filter: 'filters',
  sort: 'sort',
  compare: 'compare',
  fill: 'fill',
  package: 'packageId',
  'access-key': 'accessKey',
  'time-zone': 'timeZone',
} as const;

export const query: Verb = {
  words: 'query',
  summary: 'Answer any question about plays, time, views and viewers: all rows and the totals',
  options: {
    account: accountOption,
    from: requiredOption('First day', 'DATE'),
    to: requiredOption('Last day', 'DATE'),
    measures: requiredOption(`One to ten of ${audienceMeasureNames.join(', ')}`, 'A,B'),
    by: optionalOption(
      `Up to three of ${recordedDimensions.join(', ')}, label.NAME; default: one row`,
      'D,E',
    ),
    filter: optionalOption(
      'Conditions joined by ";": NAME==a,b NAME!=a NAME=@text NAME!@text',
      'F',
    ),
    sort: optionalOption('What to sort by, with "-" before it for descending', 'S'),
    compare: optionalOption('The range to compare with: previous or year', 'C'),
    fill: optionalOption('zero: also intervals without playback', 'zero'),
    package: optionalOption('Only this package', 'ID'),
    'access-key': optionalOption('Only this video, by its original key', 'K'),
    'time-zone': optionalOption("Zone of days and hours; default: the account's", 'ZONE'),
    csv: { type: 'boolean', description: 'Print CSV instead of a table' },
    json: jsonOption,
  },
  async run(given, parts) {
    if (given.flag('csv') && given.flag('json')) {
      throw new WrongUsage('--csv and --json exclude each other');
    }
    const accountId = given.id('account');
    const desk = await parts.openQuestions();
    try {
      const asked = await readAsked(given, accountId, desk);
      const answer = await answerQuery(asked, desk.clock.now(), desk);
      return outcomeOf(answer, asked, given.flag('csv'));
    } finally {
      await desk.close();
    }
  },
};

async function readAsked(
  given: Arguments,
  accountId: number,
  { catalog }: QuestionDesk,
): Promise<Query> {
  const account = await catalog.accounts.find(accountId);
  if (!account) throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
  const named = Object.entries(parameters).flatMap(([option, parameter]) =>
    given.has(option) ? [[parameter, given.text(option)]] : [],
  );
  try {
    const request = readParameters(QueryRequest, Object.fromEntries(named));
    const labels = await declaredLabels(catalog.labels, accountId);
    return readQuery(request, { ...account, labels });
  } catch (error) {
    throw error instanceof Fault ? byOptions(error) : error;
  }
}

/** Names the options in place of the parameters. */
function byOptions(fault: Fault): Fault {
  const options = new Map<string, string>(
    Object.entries(parameters).map(([option, parameter]) => [parameter, option]),
  );
  const errors = (fault.errors ?? []).map(({ parameter, detail }) => ({
    parameter: options.get(parameter) ?? parameter,
    detail,
  }));
  return new Fault(fault.code, fault.message, { errors });
}

function outcomeOf(answer: WholeAnswer, asked: Query, isCsv: boolean): Outcome {
  const { rows, totals, viewerBasis } = answer;
  const data: QueryAnswer['data'] = {
    list: rows,
    totals,
    ...(viewerBasis && { viewerBasis }),
    rowCount: rows.length,
    requestId: randomUUID(),
    pageSize: rows.length,
    nextToken: '',
  };
  const json: QueryAnswer = { isSuccess: true, message: '', data };
  return { json, lines: isCsv ? csvLines(answer, asked) : tableLines(answer, asked) };
}

/** Printing ends each line as the terminal does, and shows other control characters. */
function csvLines({ rows }: WholeAnswer, asked: Query): string[] {
  return [...writeCsv(rows, asked)].join('').split('\r\n').slice(0, -1);
}

function tableLines({ rows, totals }: WholeAnswer, { dimensions, measures, compare }: Query) {
  const labels = dimensions.flatMap((name) => {
    const { caption } = audienceDimension(name);
    return caption ? [name, caption] : [name];
  });
  const compared = compare === undefined ? [] : measures.map((name) => `previous.${name}`);
  const cellsOf = (row: object) => {
    const { previous, ...own } = row as Record<string, unknown>;
    const before = (previous ?? {}) as Record<string, unknown>;
    const values = [...labels, ...measures].map((name) => own[name]);
    return [...values, ...(compare === undefined ? [] : measures.map((name) => before[name]))];
  };
  const total = cellsOf({ ...totals, ...(labels[0] && { [labels[0]]: 'total' }) });
  return showTable(
    [...labels, ...measures, ...compared],
    dimensions.length === 0 ? [total] : [...rows.map(cellsOf), total],
  );
}
