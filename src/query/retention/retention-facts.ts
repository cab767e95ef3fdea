/** Reads what changes from part to part, from the counts of days where they are enough. */
import type { Counted, FactReader } from '../../store/facts.ts';
import { type AskedFacts, keptOf, withCrowded } from '../plan/question-facts.ts';
import {
  besideDays,
  type CountedDays,
  daysOfFacts,
  isWholeDay,
  knownDays,
  whileCounted,
} from '../ranges/counted-days.ts';
import { type CutVideo, daysPart, type PartChange } from './retention.ts';
import { selectRetention } from './retention-sql.ts';

/** `asked` names a video. */
export function readPartChanges(
  asked: AskedFacts,
  video: CutVideo,
  facts: FactReader,
): Promise<PartChange[]> {
  return whileCounted(async () => {
    const kept = await keptOf(asked, facts);
    const days = await planDays({ ...asked, ...kept }, facts);
    const spans = days?.rest ?? asked.spans;
    const read = await withCrowded({ ...asked, ...kept, spans }, facts);
    const changes = await facts.read<PartChange>(selectRetention(read, video, days));
    return days === undefined || countDays(changes) === days.days.length ? changes : undefined;
  });
}

/** Undefined if everything is read from facts: counts of days have no filters. */
async function planDays(
  asked: AskedFacts & Counted,
  facts: Pick<FactReader, 'audienceDays' | 'readMany'>,
): Promise<CountedDays | undefined> {
  const { accountId, spans, conditions = [], accepted, erased } = asked;
  if (conditions.length > 0 || accepted.length > 0 || erased !== undefined) return undefined;
  const known = await knownDays(asked, facts);
  const days = known.filter(({ day }) => isWholeDay(day, spans));
  if (days.length === 0) return undefined;
  const daysWithFacts = (some: AskedFacts['spans']) =>
    daysOfFacts({ accountId, spans: some }, facts);
  return besideDays(spans, { known, days }, daysWithFacts);
}

function countDays(changes: readonly PartChange[]): number {
  return Number(changes.find(({ part }) => part === daysPart)?.audience ?? 0);
}
