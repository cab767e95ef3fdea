import { randomUUID } from 'node:crypto';
import { writeCsv } from '../../query/export/answer-table.ts';
import type { Query } from '../../query/parse/query.ts';
import { linesOfNotes, notesBeside } from '../../query/run/answer-notes.ts';
import { answerQuery, type WholeAnswer } from '../../query/run/query-run.ts';
import { audienceDimension } from '../../vocabulary/dimensions.ts';
import type { QueryAnswer } from '../../wire/questions/audience-messages.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from '../runner/options.ts';
import { showTable } from '../runner/table-text.ts';
import type { Outcome, Verb } from '../verb.ts';
import { measuresOption, questionOptions, readAsked } from './query-question.ts';

export const query: Verb = {
  words: 'query',
  summary: 'Answer any question about plays, time, views and viewers: all rows and the totals',
  options: {
    account: accountOption,
    from: requiredOption('First day', 'DATE'),
    to: requiredOption('Last day', 'DATE'),
    measures: measuresOption,
    ...questionOptions,
    limit: optionalOption('Print only the first N rows; the totals are of all. Default: all', 'N'),
    csv: { type: 'boolean', description: 'Print CSV instead of a table' },
    json: jsonOption,
  },
  async run(given, parts) {
    if (given.flag('csv') && given.flag('json')) {
      throw new WrongUsage('--csv and --json exclude each other');
    }
    const accountId = given.id('account');
    const limit = given.has('limit') ? given.id('limit') : undefined;
    const desk = await parts.openQuestions();
    try {
      const asked = await readAsked(given, accountId, desk);
      // An erasure meanwhile begins it anew, so that rows and totals are of one state.
      const answer = await desk.facts.between(accountId, () =>
        answerQuery(asked, desk.clock.now(), desk),
      );
      const notes = notesBeside(answer, asked, desk.countrySource);
      // On standard error, so that programs can read the rows. JSON has the bases in it.
      const inJson = { viewerBasis: undefined, qualityBasis: undefined };
      const beside = given.flag('json') ? { ...notes, ...inJson } : notes;
      for (const line of linesOfNotes(beside)) parts.complain(line);
      return createOutcome(answer, asked, { isCsv: given.flag('csv'), limit });
    } finally {
      await desk.close();
    }
  },
};

interface Form {
  readonly isCsv: boolean;
  readonly limit: number | undefined;
}

function createOutcome(answer: WholeAnswer, asked: Query, { isCsv, limit }: Form): Outcome {
  const { rows, totals, viewerBasis, qualityBasis } = answer;
  const shown = rows.slice(0, limit);
  const data: QueryAnswer['data'] = {
    list: shown,
    totals,
    ...(viewerBasis && { viewerBasis }),
    ...(qualityBasis && { qualityBasis }),
    rowCount: rows.length,
    requestId: randomUUID(),
    pageSize: shown.length,
    nextToken: '',
  };
  const json: QueryAnswer = { isSuccess: true, message: '', data };
  const first = { ...answer, rows: shown };
  return { json, lines: isCsv ? csvLines(first, asked) : tableLines(first, asked) };
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
