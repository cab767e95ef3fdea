/**
 * Gives an event of a player log its place in time. A player says where in the media it is and not
 * when: the service's clock decides, by the first arrival of the same event, so that one sent again
 * is where it was. See docs/decisions/player-log-time.md.
 */
import { hash } from 'node:crypto';
import type { PlayerEvent, ViewWindow } from '../../facts/facts.ts';
import { assert } from '../../lib/assert.ts';
import { aheadMs, oldestMs } from '../check-time.ts';
import type { Draft, Sender } from '../draft.ts';
import type { LogEvent, PlayedRange } from './read-log-event.ts';

/** Stands in the event log for the view's first sign of a play; no range begins before 0. */
const playMomentMs = -1;

/** What the event log should keep of it, and be asked about it. */
export function notesOf(event: LogEvent, arrivalMs: number): PlayerEvent[] {
  const { accountId, view, showsPlay, range } = event;
  const note = { accountId, view, state: 'playing', arrivalMs } as const;
  return [
    ...(showsPlay ? [{ ...note, momentMs: playMomentMs, sequence: 0 }] : []),
    ...(range ? [{ ...note, momentMs: range.startMs, sequence: range.lengthMs }] : []),
  ];
}

export function isSameMoment(one: PlayerEvent, other: PlayerEvent): boolean {
  return one.momentMs === other.momentMs && one.sequence === other.sequence;
}

export function windowsOf(notes: readonly PlayerEvent[]): ViewWindow[] {
  return notes.map(({ accountId, view, momentMs }) => ({
    accountId,
    view,
    fromMs: momentMs,
    untilMs: momentMs,
  }));
}

/** The play and the range as drafts; `kept` is what the event log answered. */
export function draftsOf(event: LogEvent, kept: readonly PlayerEvent[], viewer: Sender): Draft[] {
  const { view, sessionStartMs, showsPlay, range } = event;
  const firstArrival = (momentMs: number, sequence: number): number => {
    const found = kept.find((one) => one.momentMs === momentMs && one.sequence === sequence);
    assert(found, 'an event that was written is read back');
    return found.arrivalMs;
  };
  const drafts: Draft[] = [];
  if (showsPlay) {
    const firstMs = firstArrival(playMomentMs, 0);
    const atMs = isOfOurClock(sessionStartMs, firstMs) ? sessionStartMs : firstMs;
    drafts.push({ view, stretch: 0, atMs, playMs: 0, plays: 1, viewer, facts: [] });
  }
  if (range) {
    const { startMs, lengthMs: playMs } = range;
    const atMs = firstArrival(startMs, playMs) - playMs;
    const stretch = numberOf(range);
    drafts.push({ view, stretch, atMs, playMs, plays: 0, viewer, facts: [] });
  }
  return drafts;
}

/** Whether `cs` may be the one that the service gave out; some apps write their device's time. */
export function isOfOurClock(sessionStartMs: number, firstMs: number): boolean {
  return sessionStartMs >= firstMs - oldestMs && sessionStartMs <= firstMs + aheadMs;
}

/**
 * The number of a range inside its view. Two ranges of one number in one slot would count as one:
 * a chance of one in four billion for each two, and never too much.
 */
function numberOf({ startMs, lengthMs }: PlayedRange): number {
  return Number.parseInt(hash('sha256', `${startMs} ${lengthMs}`, 'hex').slice(0, 8), 16) || 1;
}
