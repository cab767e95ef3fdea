/** What can be exported, as files to be written: the raw facts of an account, or an answer. */

import { dayMs, utcDayOf } from '../../lib/utc-day.ts';
import { byDay, writeAnswer } from '../../report/export/answer-to-export.ts';
import {
  daysWithFacts,
  type FactSources,
  writeFacts,
} from '../../report/export/facts-to-export.ts';
import { answerQuery, type WholeAnswer } from '../../report/query/answer-query.ts';
import type { Query } from '../../report/query/query.ts';
import type { QuestionDesk } from '../../report/query/question-desk.ts';
import type { Export } from './write-export.ts';

export const exportFormats = ['csv', 'jsonl', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface FileForm {
  readonly format: ExportFormat;
  /** Whether all goes into one stream, and not into a file a day. */
  readonly isOne: boolean;
  readonly signal: AbortSignal;
}

interface FactsAsked {
  readonly accountId: number;
  /** UTC, yyyy-mm-dd, both included; undefined: open at that end. */
  readonly firstDay: string | undefined;
  readonly lastDay: string | undefined;
}

/** Later than any slot that the store can hold. */
const lastInstantMs = 4_294_944_000_000;

export async function exportOfFacts(
  sources: FactSources,
  { accountId, firstDay, lastDay }: FactsAsked,
  { format, isOne, signal }: FileForm,
): Promise<Export> {
  const span = {
    fromMs: firstDay === undefined ? 0 : Date.parse(firstDay),
    untilMs: lastDay === undefined ? lastInstantMs : Date.parse(lastDay) + dayMs,
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
      day: isOne ? undefined : utcDayOf(one.fromMs),
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

export async function exportOfAnswer(
  desk: QuestionDesk,
  query: Query,
  { format, isOne, signal }: FileForm,
): Promise<Export & Pick<WholeAnswer, 'totals'>> {
  const { rows, totals } = await desk.facts.between(query.accountId, () =>
    answerQuery(query, desk.clock.now(), desk),
  );
  const { accountId, firstDay, lastDay, timeZone, measures, dimensions, filters } = query;
  const { sort, compare, fillZero } = query;
  const parts = isOne ? [{ day: undefined, rows }] : byDay(rows, query);
  const isByDay = !isOne && parts.every(({ day }) => day !== undefined);
  const question = { timeZone, measures, dimensions, filters, sort, fillZero };
  return {
    totals,
    about: {
      what: 'question',
      ...{ accountId, format, ...question, compare: compare ?? null },
      ...(!isByDay && { firstDay, lastDay }),
    },
    fileName: `rows.${format}`,
    firstDay,
    lastDay,
    files: parts.map((part) => ({
      day: part.day,
      open: () => writeAnswer(desk.facts, { rows: part.rows, query }, format, signal),
    })),
  };
}
