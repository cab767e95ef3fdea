/** What can be exported, as files to be written: the raw facts of an account, or an answer. */

import { dayMs, toUtcDay } from '../../lib/time/utc-day.ts';
import { createCurves } from '../../query/curve-service.ts';
import {
  byDay,
  columnsOfAnswer,
  type DayOfRows,
  splitByDay,
} from '../../query/export/answer-table.ts';
import { columnsOfConcurrency, columnsOfRetention } from '../../query/export/curve-table.ts';
import { daysWithFacts, type FactSources, writeFacts } from '../../query/export/fact-table.ts';
import { type ExportColumn, writeTable } from '../../query/export/table-file.ts';
import type {
  ConcurrencyQuestion,
  CurveQuestion,
  RetentionQuestion,
} from '../../query/parse/curve-question.ts';
import type { Query } from '../../query/parse/query.ts';
import type { QuestionContext } from '../../query/question-context.ts';
import { linesOfNotes, notesBeside } from '../../query/run/answer-notes.ts';
import { answerQuery } from '../../query/run/query-run.ts';
import { storableMs } from '../../store/facts.ts';
import type { Export } from './export-writer.ts';

export const exportFormats = ['csv', 'jsonl', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface FileForm {
  readonly format: ExportFormat;
  /** Whether all goes into one stream, and not into a file a day. */
  readonly isOne: boolean;
  readonly signal: AbortSignal;
}

interface FactsQuestion {
  readonly accountId: number;
  /** UTC, yyyy-mm-dd, both included; undefined: open at that end. */
  readonly firstDay: string | undefined;
  readonly lastDay: string | undefined;
}

export async function exportOfFacts(
  sources: FactSources,
  { accountId, firstDay, lastDay }: FactsQuestion,
  { format, isOne, signal }: FileForm,
): Promise<Export> {
  const span = {
    fromMs: firstDay === undefined ? 0 : storableMs(Date.parse(firstDay)),
    untilMs: storableMs(lastDay === undefined ? Infinity : Date.parse(lastDay) + dayMs),
  };
  const days = await daysWithFacts(sources.facts, accountId, span);
  // A Parquet file cannot be put together from several.
  const isWhole = isOne && (format === 'parquet' || days.length === 0);
  const spans = isWhole ? [span] : days.map((day) => ({ fromMs: day, untilMs: day + dayMs }));
  return {
    about: aboutFacts(accountId, format),
    fileName: `facts.${format}`,
    firstDay,
    lastDay,
    files: spans.map((one, index) => ({
      day: isOne ? undefined : toUtcDay(one.fromMs),
      open: () =>
        writeFacts(sources, {
          accountId,
          span: one,
          format: format === 'csv' && isOne && index > 0 ? 'csv without header' : format,
          signal,
        }),
    })),
  };
}

/** What the manifest says that it is, for an export of facts. */
export function aboutFacts(accountId: number, format: ExportFormat): Export['about'] {
  return { what: 'facts', accountId, format };
}

/** An answer, with what it says of all its rows. */
export interface ExportOfAnswer extends Export {
  readonly totals: object;
  /** What has to be said beside the rows, a line each. */
  readonly notes: readonly string[];
}

export async function exportOfAnswer(
  desk: QuestionContext,
  query: Query,
  form: FileForm,
): Promise<ExportOfAnswer> {
  const answer = await desk.facts.between(query.accountId, () =>
    answerQuery(query, desk.clock.now(), desk),
  );
  const { rows, totals } = answer;
  const { timeZone, measures, dimensions, filters, sort, compare, fillZero } = query;
  const question = { timeZone, measures, dimensions, filters, sort, fillZero };
  return createAnswerExport(desk, {
    ...{ totals, form, range: query, columns: columnsOfAnswer(query) },
    notes: linesOfNotes(notesBeside(answer, query, desk.countrySource)),
    what: 'question',
    asked: { ...question, compare: compare ?? null },
    parts: form.isOne ? [{ day: undefined, rows }] : splitByDay(rows, query),
  });
}

export async function exportOfRetention(
  desk: QuestionContext,
  question: RetentionQuestion,
  form: FileForm,
): Promise<ExportOfAnswer> {
  const { data } = await createCurves(desk).retention(question);
  const { list, ...totals } = data;
  return createAnswerExport(desk, {
    ...{ totals, notes: [], form, range: question, columns: columnsOfRetention },
    what: 'retention',
    asked: { ...askedOfCurve(question), parts: question.parts },
    parts: [{ day: undefined, rows: list }],
  });
}

export async function exportOfConcurrency(
  desk: QuestionContext,
  question: ConcurrencyQuestion,
  form: FileForm,
): Promise<ExportOfAnswer> {
  const { data } = await createCurves(desk).concurrency(question);
  const rows = data.list;
  return createAnswerExport(desk, {
    ...{ totals: {}, notes: [], form, range: question, columns: columnsOfConcurrency },
    what: 'concurrency',
    asked: { ...askedOfCurve(question), interval: question.interval },
    parts: form.isOne ? [{ day: undefined, rows }] : byDay(rows, ({ time }) => time),
  });
}

function askedOfCurve({ timeZone, packageId, accessKey, filters }: CurveQuestion) {
  return { timeZone, packageId: packageId ?? null, accessKey: accessKey ?? null, filters };
}

interface AnswerInFiles<Row> extends Pick<ExportOfAnswer, 'totals' | 'notes'> {
  readonly what: 'question' | 'retention' | 'concurrency';
  /** Without the account and the days. */
  readonly asked: object;
  readonly form: FileForm;
  readonly range: { accountId: number; firstDay: string; lastDay: string };
  readonly columns: readonly ExportColumn<Row>[];
  readonly parts: readonly DayOfRows<Row>[];
}

function createAnswerExport<Row>(
  desk: QuestionContext,
  answer: AnswerInFiles<Row>,
): ExportOfAnswer {
  const { totals, notes, what, asked, form, range, columns, parts } = answer;
  const { format, isOne, signal } = form;
  const { accountId, firstDay, lastDay } = range;
  const isByDay = !isOne && parts.every(({ day }) => day !== undefined);
  return {
    ...{ totals, notes },
    // In this order: a place is held to the text that it has.
    about: { what, accountId, format, ...asked, ...(!isByDay && { firstDay, lastDay }) },
    fileName: `rows.${format}`,
    firstDay,
    lastDay,
    files: parts.map(({ day, rows }) => ({
      day,
      open: () => writeTable(desk.facts, { rows, columns }, format, signal),
    })),
  };
}
