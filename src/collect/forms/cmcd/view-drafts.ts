/** Works out, view by view, what new events and those reported before add up to. */

import { assert } from '../../../lib/assert.ts';
import type { TakeTurn } from '../../../lib/tasks/fair-turns.ts';
import { createLruCache } from '../../../lib/values/lru-cache.ts';
import type { PlayerEvent, ViewName, ViewWindow } from '../../../store/facts.ts';
import { numberOfWaitAt, startNumber } from '../../../vocabulary/waits.ts';
import type { Device, Draft } from '../../draft.ts';
import type { EventReader } from '../../steps/event-reader.ts';
import type { AgreeOnInstant } from '../../steps/instant-agreement.ts';
import { longestIntervalMs, orderView, reachMs } from './view-context.ts';
import { eventsOfPortion, type Piece, portionsTouching } from './view-pieces.ts';
import { type ViewWait, waitsTouching } from './view-waits.ts';

const rememberedLimitPlays = 50_000;
/**
 * Pieces that begin earlier keep the numbers of 32 bits that version 0.2.0 gave them, so that they
 * are not counted twice. On this day both ways give the same number; from the next evening on, the
 * old way would give a piece the number of the wait that began 838 ms before it.
 */
const apartFromWaitsMs = Date.UTC(2026, 11, 15);
/**
 * Reported events whose views are worked out together. Each may have hundreds of pieces made again,
 * which wait until all are known.
 */
const reportsAtOnce = 200;
const draftsOfPortion = 250;

export interface ViewDrafts {
  /**
   * `reported` is in the event log already. In portions, so that not all drafts of a request are
   * there at once; of each view, its play comes first.
   */
  draftsOf(
    reported: readonly PlayerEvent[],
    device: Device,
    nowMs: number,
  ): AsyncIterable<readonly Draft[]>;
  /** To be called when the facts of these drafts are durable. */
  remember(drafts: readonly Draft[]): void;
}

interface ViewDraftingOptions {
  readonly events: EventReader;
  readonly agree: AgreeOnInstant;
  /** Awaited between portions of work. */
  readonly takeTurn: TakeTurn;
}

export function createViewDrafts(options: ViewDraftingOptions): ViewDrafts {
  const { events, agree, takeTurn } = options;
  /** Views whose play is known to be counted; only to ask less often. */
  const countedPlays = createLruCache<string, true>(rememberedLimitPlays);
  let lookedAt = 0;
  let nextTurn: Promise<void> | undefined;

  /** To be awaited before so many events are looked at: one read brings those of many views. */
  const makeWay = async (count: number): Promise<void> => {
    while (lookedAt > 0 && lookedAt + count > eventsOfPortion) {
      nextTurn ??= takeTurn().then(() => {
        nextTurn = undefined;
        lookedAt = 0;
      });
      await nextTurn;
    }
    lookedAt += count;
  };

  const lookAt = async (reported: readonly PlayerEvent[], near: readonly PlayerEvent[]) => {
    await makeWay(near.length);
    const view = orderView(reported, near);
    const all = async <Found>(portions: Iterable<readonly Found[]>): Promise<Found[]> => {
      const found: Found[] = [];
      for (const portion of portions) {
        found.push(...portion);
        if (near.length > eventsOfPortion) await takeTurn();
      }
      return found;
    };
    const waits = await all(waitsTouching(view));
    return { waits, pieces: await all(portionsTouching(view)) };
  };

  /** The instant of the view's play, once every request that counts it will count it there. */
  const instantOfPlay = async (view: ViewName, nowMs: number): Promise<number | undefined> => {
    const beginning = await events.beginnings(view);
    await makeWay(beginning?.length ?? 0);
    const play = lookForPlay(beginning, nowMs);
    if (play === undefined || play.isCounted) return play?.atMs;
    return agree(view, 'play', play.atMs);
  };

  const lookAtView = async (reported: readonly PlayerEvent[], nowMs: number) => {
    const window = findWindow(reported);
    const { accountId, view } = window;
    const near = await events.read(window);
    // Nothing is made of a view whose events are too many to be a player's.
    if (near === undefined) return { plays: [], waits: [], pieces: [] };
    const { waits, pieces } = await lookAt(reported, near);
    // Also where nothing near them plays: they may be the part of its beginning that was missing.
    const isCounted = countedPlays.has(view);
    const atMs = isCounted ? undefined : await instantOfPlay({ accountId, view }, nowMs);
    return { plays: atMs === undefined ? [] : [{ view, atMs }], waits, pieces };
  };

  return {
    async *draftsOf(reported, device, nowMs) {
      const byView = Map.groupBy(reported, ({ view }) => view);
      for (const group of groupViews([...byView.values()])) {
        // Each by itself, so that its events are let go before all others are read.
        const views = await Promise.all(group.map((ofView) => lookAtView(ofView, nowMs)));
        const plays = views.flatMap((one) => one.plays);
        if (plays.length > 0) yield plays.map((play) => draftOfPlay(play, device));
        // First how views began: then what follows is known to be of a view with quality.
        const found = [
          ...views.flatMap(({ waits }) => waits.map((wait) => () => draftOfWait(wait, device))),
          ...views.flatMap(({ pieces }) => pieces.map((piece) => () => createDraft(piece, device))),
        ];
        for (let start = 0; start < found.length; start += draftsOfPortion) {
          if (start > 0) await takeTurn();
          yield found.slice(start, start + draftsOfPortion).map((draft) => draft());
        }
      }
    },

    remember(drafts) {
      for (const { view, plays } of drafts) if (plays > 0) countedPlays.set(view, true);
    },
  };
}

/** Stored with the facts of these drafts: where their plays count, so that nobody asks again. */
export function createNotes(
  drafts: readonly Draft[],
  accountId: number,
  nowMs: number,
): PlayerEvent[] {
  return drafts
    .filter(({ plays }) => plays > 0)
    .map(({ view, atMs: momentMs }) => {
      const note = { accountId, view, momentMs, sequence: 0, arrivalMs: nowMs };
      return { ...note, state: 'counted' };
    });
}

/** Views of so many reported events that they may be worked out at once. */
function groupViews(views: readonly PlayerEvent[][]): PlayerEvent[][][] {
  const groups: PlayerEvent[][][] = [];
  let reports = reportsAtOnce;
  for (const ofView of views) {
    reports += ofView.length;
    if (reports > reportsAtOnce) {
      groups.push([]);
      reports = ofView.length;
    }
    groups.at(-1)?.push(ofView);
  }
  return groups;
}

function draftOfPlay({ view, atMs }: Pick<Draft, 'view' | 'atMs'>, device: Device): Draft {
  return { view, stretch: 0, atMs, playMs: 0, plays: 1, device, facts: [] };
}

function createDraft({ from, playMs, known }: Piece, device: Device): Draft {
  const retold = known === undefined ? undefined : { known, longestMs: longestIntervalMs };
  const { bitrate, rate = 1, streamType } = from;
  const mediaMs = Math.round(playMs * rate);
  return {
    ...(retold && { retold }),
    ...(streamType && { streamType }),
    ...(bitrate && { mediaMs, quality: { mediaBits: bitrate * mediaMs } }),
    view: from.view,
    // Pieces of a view hardly ever begin at one instant, while a player may count from 0 again.
    stretch: numberOfPieceAt(from.momentMs),
    atMs: from.momentMs,
    playMs,
    plays: 0,
    device,
    facts: [],
  };
}

export function numberOfPieceAt(momentMs: number): number {
  return momentMs % (momentMs < apartFromWaitsMs ? 2 ** 32 : startNumber);
}

function draftOfWait(wait: ViewWait, device: Device): Draft {
  const { from, cause, outcome, waitMs, error, isTakenBack } = wait;
  const { view, momentMs, streamType } = from;
  return {
    ...(isTakenBack && { retold: { known: 1, longestMs: 0 } }),
    ...(streamType && { streamType }),
    view,
    stretch: cause === 'start' ? startNumber : numberOfWaitAt(momentMs),
    atMs: momentMs,
    playMs: 0,
    plays: 0,
    device,
    quality: { wait: { cause, outcome, waitMs, error } },
    facts: [],
  };
}

function lookForPlay(beginning: readonly PlayerEvent[] = [], nowMs: number) {
  const atMs = findPlay(beginning, nowMs);
  return atMs === undefined ? undefined : { atMs, isCounted: findCountedPlay(beginning) === atMs };
}

function findWindow(reported: readonly PlayerEvent[]): ViewWindow {
  const [first] = reported;
  assert(first, 'a view is one of an event');
  const { accountId, view } = first;
  const moments = reported.map(({ momentMs }) => momentMs);
  const fromMs = Math.min(...moments) - reachMs;
  return { accountId, view, fromMs, untilMs: Math.max(...moments) + reachMs };
}

/**
 * How long after the first sign of a play its beginning stays open for events that are late. What
 * arrives after that moves nothing any more.
 */
export const beginningMs = 60_000;
/** An event may be on its way into the log for so long after its arrival. */
const writingMs = 20_000;

/** Where the play is counted, if it is. */
export function findCountedPlay(beginning: readonly PlayerEvent[]): number | undefined {
  const moments = beginning
    .filter(({ state }) => state === 'counted')
    .map(({ momentMs }) => momentMs);
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

/**
 * When the view's one play was, by all that had arrived `beginningMs` after the first sign of a
 * play. Undefined as long as an earlier sign may still come. Those who ask at once may see
 * different parts of it: they agree before they count.
 */
export function findPlay(beginning: readonly PlayerEvent[], nowMs: number): number | undefined {
  const countedMs = findCountedPlay(beginning);
  if (countedMs !== undefined) return countedMs;
  const heardMs = beginning
    .filter(isSign)
    .reduce((least, { arrivalMs }) => Math.min(least, arrivalMs), Number.POSITIVE_INFINITY);
  const inTime = beginning.filter(({ arrivalMs }) => arrivalMs <= heardMs + beginningMs);
  const isClosed = nowMs > heardMs + beginningMs + writingMs;
  // What came later moves nothing, but it shows that nothing is missing: also where it only seems
  // to be late, because the clock was set back between the two.
  const isComplete = [inTime, beginning].some((events) => isWhole(events, earliestSign(events)));
  return isClosed || isComplete ? earliestSign(inTime)?.momentMs : undefined;
}

/** Whether an event shows that playback has begun. */
function isSign({ state }: PlayerEvent): boolean {
  return state === 'playing' || state === 'started';
}

function earliestSign(events: readonly PlayerEvent[]): PlayerEvent | undefined {
  const [first, ...others] = events.filter(isSign);
  return first && others.reduce(earlier, first);
}

function earlier(one: PlayerEvent, other: PlayerEvent): PlayerEvent {
  const byTime = one.momentMs - other.momentMs || one.sequence - other.sequence;
  return byTime <= 0 ? one : other;
}

/** Whether every event up to this one is there: players count from 0. */
function isWhole(beginning: readonly PlayerEvent[], sign: PlayerEvent | undefined): boolean {
  if (sign === undefined) return false;
  const { sequence } = sign;
  const before = new Set(
    beginning.map((event) => event.sequence).filter((other) => other < sequence),
  );
  return before.size === sequence;
}
