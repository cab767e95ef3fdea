/** Whether anything played in a span of minutes. */

import { localDate } from '../../lib/time/time-zone.ts';
import { type FactQuery, slotMs } from '../../store/facts.ts';
import type { DeclaredLabels } from '../parse/dimension-parser.ts';
import type { Filter } from '../parse/filter-parser.ts';
import {
  bindFacts,
  type CurveSources,
  factsOfQuestion,
  findCounted,
  type QuestionFacts,
  selectFacts,
} from '../plan/question-facts.ts';
import { partFromMs } from '../ranges/counted-facts.ts';

export interface PlaybackQuestion {
  readonly accountId: number;
  readonly timeZone: string;
  readonly filters: readonly Filter[];
  readonly labels: DeclaredLabels;
  readonly packageIds?: readonly number[] | undefined;
  /** Instants (ms); what plays at any time between them counts. */
  readonly fromMs: number;
  readonly untilMs: number;
}

export async function readPlayback(
  question: PlaybackQuestion,
  sources: CurveSources,
): Promise<boolean> {
  const { timeZone, fromMs, untilMs } = question;
  const asked = await factsOfQuestion(
    {
      ...question,
      firstDay: localDate(timeZone, fromMs),
      lastDay: localDate(timeZone, untilMs),
      ...{ accessKey: undefined, packageId: undefined },
    },
    sources,
  );
  if (asked === undefined || asked.spans.length === 0) return false;
  // Days may be long: only these slots are read.
  const slots = {
    fromMs: Math.floor(fromMs / slotMs) * slotMs,
    untilMs: Math.ceil(untilMs / slotMs) * slotMs,
  };
  const counted = await findCounted({ ...asked, spans: [slots] }, sources.facts);
  const rows = await sources.facts.read<{ parts: number }>(selectPlayback(counted, question));
  return (rows[0]?.parts ?? 0) > 0;
}

/** For facts without a start, only the slot is known. */
export function selectPlayback(
  facts: QuestionFacts,
  { fromMs, untilMs }: Pick<PlaybackQuestion, 'fromMs' | 'untilMs'>,
): FactQuery {
  const sql = `SELECT toUInt32(count()) AS parts
FROM (
  SELECT startMs > 0 AS isDated, ${partFromMs} AS partMs, partMs + playMs AS partUntilMs
  FROM (
${selectFacts(facts)}
  )
  WHERE playMs > 0
)
WHERE NOT isDated OR (partMs < {untilMs:UInt64} AND partUntilMs > {fromMs:UInt64})`;
  return { name: 'playback', sql, parameters: { ...bindFacts(facts), fromMs, untilMs } };
}
