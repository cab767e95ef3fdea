/**
 * Dates an event of a player log. A player reports where in the media it is, not
 * when: the service's clock at the arrival of the event decides, so that a copy stays
 * where it was. See docs/decisions/player-log-time.md.
 */
import { hash } from 'node:crypto';
import { assert } from '../../../lib/assert.ts';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import type { PlayerEvent } from '../../../store/facts.ts';
import type { Device, Draft, Refusal } from '../../draft.ts';
import type { EventReader } from '../../steps/event-reader.ts';
import type { AgreeOnInstant } from '../../steps/instant-agreement.ts';
import { aheadMs, oldestMs } from '../../steps/time-step.ts';
import type { LogEvent, PlayedRange } from './log-event.ts';

interface DatedEvent {
  readonly drafts: readonly Draft[];
  /** What the event log must store once the drafts count. */
  readonly notes: readonly PlayerEvent[];
}

interface EventDates {
  date(event: LogEvent, device: Device, nowMs: number): Promise<Result<DatedEvent, Refusal>>;
}

interface EventDatingOptions {
  readonly events: Pick<EventReader, 'read'>;
  readonly agree: AgreeOnInstant;
}

/** Dates an event of a player log by the event log, so that every node dates it the same. */
export function createEventDates({ events, agree }: EventDatingOptions): EventDates {
  /** Looks for the place until the log and all concurrent requests agree on it. */
  const settle = async (
    event: LogEvent,
    log: Dated[],
    placeIn: (log: readonly Dated[]) => Place,
    nowMs: number,
  ): Promise<{ dated: Dated; isNew: boolean } | undefined> => {
    let isNew = false;
    for (;;) {
      const place = placeIn(log);
      if ('tooMuch' in place) return undefined;
      if ('known' in place) return { dated: place.known, isNew };
      const { added } = place;
      const arrivalMs = await agree(event, nameNote(added), nowMs);
      const dated = { ...added, arrivalMs };
      isNew = true;
      if (arrivalMs === nowMs) return { dated, isNew };
      // Another request was first: after it, this event may be a copy or a repetition.
      log.push(dated);
    }
  };

  return {
    async date(event, device, nowMs) {
      const { accountId, view, showsPlay, stoppedAtMs } = event;
      if (!showsPlay) return accept({ drafts: [], notes: [] });
      const whole = { fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER };
      const log: Dated[] | undefined = await events.read({ accountId, view, ...whole });
      if (log === undefined) {
        return refuse({ code: 'INVALID_BEACON', detail: 'uid: a session with too many events' });
      }
      const range = stoppedAtMs === undefined ? event.range : rangeUntil(stoppedAtMs, log);
      const [play, played] = await Promise.all([
        settle(event, [...log], placeOfPlay, nowMs),
        range && settle(event, [...log], (seen) => placeOfRange(range, seen, event, nowMs), nowMs),
      ]);
      if (range && !played) {
        return refuse({ code: 'IN_FUTURE', detail: 'det: more time than has passed since cs' });
      }
      assert(play, 'only of ranges there can be too much');
      const notes: Dated[] = [];
      if (play.isNew) notes.push(play.dated);
      if (played?.isNew) notes.push(played.dated);
      if (range && played && played.dated.arrivalMs !== nowMs) {
        notes.push({ ...noteOfCopy(range, nowMs), arrivalMs: nowMs });
      }
      return accept({
        drafts: [
          draftPlay(event, play.dated.arrivalMs, device),
          ...(played ? [draftRange(event, played.dated, device)] : []),
        ],
        notes: notes.map((note) => ({ ...note, accountId, view })),
      });
    },
  };
}

function nameNote({ momentMs, sequence }: Note): string {
  return `${momentMs} ${sequence}`;
}

/** Represents the view's first sign of a play in the event log; no range begins before 0. */
const playMomentMs = -1;
/** Distance between the repetitions of a range in the event log; no range begins so late. */
const repetitionMs = 2 ** 41;
const mostRepetitions = 4_000;
/** How much sooner than its own length a range may come again: clocks and networks vary. */
const sparedMs = 1_000;

/** A line of the event log, apart from its view. */
type Note = Pick<PlayerEvent, 'momentMs' | 'sequence' | 'state'>;
export type Dated = Note & Pick<PlayerEvent, 'arrivalMs'>;

/** An event that is counted already according to the log, or one to count for the first time. */
type Place =
  | { readonly known: Dated }
  | { readonly added: Note }
  /** More time than can have passed. */
  | { readonly tooMuch: true };

export const playNote: Note = { momentMs: playMomentMs, sequence: 0, state: 'playing' };

export function placeOfPlay(log: readonly Dated[]): Place {
  const known = log.find(({ momentMs }) => momentMs === playMomentMs);
  return known ? { known } : { added: playNote };
}

/**
 * Which repetition of the range this is. One that comes again after at least its own length was
 * played again; nearer together it is a copy. All together are never longer than the session.
 */
export function placeOfRange(
  range: PlayedRange,
  log: readonly Dated[],
  { sessionStartMs, isSealed }: Pick<LogEvent, 'sessionStartMs' | 'isSealed'>,
  arrivalMs: number,
): Place {
  const counted = log.filter(isRange);
  const known = counted
    .filter((note) => note.sequence === range.lengthMs && findStart(note) === range.startMs)
    .sort((one, other) => one.momentMs - other.momentMs);
  const last = known.at(-1);
  const state = range.startIsDerived ? 'started' : 'playing';
  const added: Note = { momentMs: range.startMs, sequence: range.lengthMs, state };
  const passedMs = measurePassed(log, sessionStartMs, { ...added, arrivalMs });
  const allMs = counted.reduce((sum, { sequence }) => sum + sequence, range.lengthMs);
  // Of a session that the service gave, it knows the beginning; others are dated by the device.
  const graceMs = isSealed ? sparedMs : aheadMs;
  const hasPassedSince = (notes: readonly Dated[]): boolean => {
    const cameMs = Math.max(...notes.map((note) => note.arrivalMs), ...findCopies(range, log));
    return arrivalMs - cameMs >= Math.max(range.lengthMs - sparedMs, range.lengthMs / 2);
  };
  if (last === undefined) {
    // An end alone that passed it on the way has counted it already.
    const around = counted.filter((note) => note.state === 'started' && contains(note, range));
    const [one] = around;
    if (one && !hasPassedSince(around)) return { known: one };
    return allMs > passedMs + graceMs ? { tooMuch: true } : { added };
  }
  const isAgain = hasPassedSince(known) && allMs <= passedMs && known.length < mostRepetitions;
  if (!isAgain) return { known: last };
  const { sequence } = last;
  return { added: { momentMs: last.momentMs + repetitionMs, sequence, state: last.state } };
}

/** Records that a copy came: what soon follows it is a copy too. */
export function noteOfCopy(range: PlayedRange, arrivalMs: number): Note {
  return { momentMs: arrivalMs, sequence: findNumber(range, 0), state: 'resting' };
}

function findCopies(range: PlayedRange, log: readonly Dated[]): number[] {
  const number = findNumber(range, 0);
  return log
    .filter(({ state, sequence }) => state === 'resting' && sequence === number)
    .map(({ momentMs }) => momentMs);
}

/**
 * The range of an event that says only where it ends: from the end of the last range, or from 0. If
 * such an event came before, it is the same range, though its own end is the last one by now.
 */
export function rangeUntil(endMs: number, log: readonly Dated[]): PlayedRange | undefined {
  const counted = log.filter(isRange).sort((one, other) => one.arrivalMs - other.arrivalMs);
  const same = counted.findLast((note) => note.state === 'started' && findEnd(note) === endMs);
  const last = counted.at(-1);
  const startMs = same ? findStart(same) : last ? findEnd(last) : 0;
  return endMs > startMs ? { startMs, lengthMs: endMs - startMs, startIsDerived: true } : undefined;
}

/** The play: at `cs` if that may be our clock, else when the view first showed it. */
export function draftPlay(
  { view, sessionStartMs }: LogEvent,
  firstMs: number,
  device: Device,
): Draft {
  const atMs = isOfOurClock(sessionStartMs, firstMs) ? sessionStartMs : firstMs;
  return { view, stretch: 0, atMs, playMs: 0, plays: 1, device, facts: [] };
}

/** A range was played until it arrived. */
export function draftRange({ view }: LogEvent, note: Dated, device: Device): Draft {
  const { sequence: playMs, arrivalMs } = note;
  const range = { startMs: findStart(note), lengthMs: playMs };
  const stretch = findNumber(range, Math.floor(note.momentMs / repetitionMs));
  const played = { atMs: arrivalMs - playMs, playMs, plays: 0 } as const;
  const ofMedia = { position: findStart(note), mediaMs: playMs };
  return { view, stretch, ...played, ...ofMedia, device, facts: [] };
}

/** Whether `cs` may be the one that the service returned; some apps write their device's time. */
function isOfOurClock(sessionStartMs: number, firstMs: number): boolean {
  return sessionStartMs >= firstMs - oldestMs && sessionStartMs <= firstMs + aheadMs;
}

/** How long the session has lasted, by `cs` if that may be our clock, else by what arrived. */
function measurePassed(log: readonly Dated[], sessionStartMs: number, now: Dated): number {
  const all = [...log, now];
  const firstMs = Math.min(...all.map(({ arrivalMs }) => arrivalMs));
  // Not simply now: the clock may have been set back since.
  const lastMs = Math.max(...all.map(({ arrivalMs }) => arrivalMs));
  const beganMs = isOfOurClock(sessionStartMs, firstMs)
    ? Math.min(sessionStartMs, firstMs)
    : Math.min(...all.map((note) => note.arrivalMs - (isRange(note) ? note.sequence : 0)));
  return lastMs - beganMs;
}

function isRange({ momentMs, state }: Note): boolean {
  return momentMs >= 0 && (state === 'playing' || state === 'started');
}

function findStart({ momentMs }: Note): number {
  return momentMs % repetitionMs;
}

function findEnd(note: Note): number {
  return findStart(note) + note.sequence;
}

function contains(note: Note, { startMs, lengthMs }: PlayedRange): boolean {
  return findStart(note) <= startMs && findEnd(note) >= startMs + lengthMs;
}

/**
 * The number of a range inside its view. Two ranges of one number in one slot would count as one:
 * a chance of one in four billion for each two, and never too much.
 */
function findNumber(
  { startMs, lengthMs }: Omit<PlayedRange, 'startIsDerived'>,
  repetition: number,
): number {
  const name = `${startMs} ${lengthMs}${repetition > 0 ? ` ${repetition}` : ''}`;
  return Number.parseInt(hash('sha256', name, 'hex').slice(0, 8), 16) || 1;
}
