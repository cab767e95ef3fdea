/** Works out, view by view, what new events and those reported before add up to. */
import { LRUCache } from 'lru-cache';
import type { PlayerEvent, ViewName, ViewWindow } from '../../facts/facts.ts';
import { assert } from '../../lib/assert.ts';
import type { AgreeOnInstant } from '../agree-on-instant.ts';
import type { Device, Draft } from '../draft.ts';
import type { EventReader } from '../read-together.ts';
import { type Piece, piecesTouching } from './pieces-of-view.ts';
import { countedPlayOf, isSign, playOf } from './play-of-view.ts';
import { longestIntervalMs, reachMs } from './surroundings.ts';

const rememberedLimitPlays = 50_000;
/** A stretch's number is of 32 bits. */
const stretchNumbers = 2 ** 32;

export interface ViewDrafting {
  /** `reported` is in the event log already. */
  draftsOf(reported: readonly PlayerEvent[], device: Device, nowMs: number): Promise<Draft[]>;
  /** To be called when the facts of these drafts are durable. */
  remember(drafts: readonly Draft[]): void;
}

interface ViewDraftingOptions {
  readonly events: EventReader;
  readonly agree: AgreeOnInstant;
}

export function createViewDrafting({ events, agree }: ViewDraftingOptions): ViewDrafting {
  /** Views whose play is known to be counted; only to ask less often. */
  const countedPlays = new LRUCache<string, true>({ max: rememberedLimitPlays });

  /** The instant of the view's play, once every request that counts it will count it there. */
  const instantOfPlay = async (view: ViewName, nowMs: number): Promise<number | undefined> => {
    const play = lookForPlay(await events.beginnings(view), nowMs);
    if (play === undefined || play.isCounted) return play?.atMs;
    return agree(view, 'play', play.atMs);
  };

  const draftView = async (reported: readonly PlayerEvent[], device: Device, nowMs: number) => {
    const window = windowOf(reported);
    const { accountId, view } = window;
    const { pieces, showsPlay } = lookAt(reported, await events.read(window));
    const mayHavePlay = showsPlay && !countedPlays.has(view);
    const atMs = mayHavePlay ? await instantOfPlay({ accountId, view }, nowMs) : undefined;
    const plays: Draft[] =
      atMs === undefined
        ? []
        : [{ view, stretch: 0, atMs, playMs: 0, plays: 1, device, facts: [] }];
    return {
      plays,
      pieces: pieces.map((piece) => draftOf(piece, device)),
    };
  };

  return {
    async draftsOf(reported, device, nowMs) {
      const byView = Map.groupBy(reported, ({ view }) => view);
      // Each by itself, so that its events are let go before all others are read.
      const drafting = [...byView.values()].map((ofView) => draftView(ofView, device, nowMs));
      const drafts = await Promise.all(drafting);
      return [...drafts.flatMap(({ plays }) => plays), ...drafts.flatMap(({ pieces }) => pieces)];
    },

    remember(drafts) {
      for (const { view, plays } of drafts) if (plays > 0) countedPlays.set(view, true);
    },
  };
}

/** Stored with the facts of these drafts: where their plays count, so that nobody asks again. */
export function notesOf(drafts: readonly Draft[], accountId: number, nowMs: number): PlayerEvent[] {
  return drafts
    .filter(({ plays }) => plays > 0)
    .map(({ view, atMs: momentMs }) => {
      const note = { accountId, view, momentMs, sequence: 0, arrivalMs: nowMs };
      return { ...note, state: 'counted' };
    });
}

function draftOf({ from, playMs, known }: Piece, device: Device): Draft {
  const retold = known === undefined ? undefined : { known, longestMs: longestIntervalMs };
  return {
    ...(retold && { retold }),
    view: from.view,
    // Pieces of a view hardly ever begin at one instant, while a player may count from 0 again.
    stretch: from.momentMs % stretchNumbers,
    atMs: from.momentMs,
    playMs,
    plays: 0,
    device,
    facts: [],
  };
}

/** Nothing is made of a view whose events are too many to be a player's. */
function lookAt(reported: readonly PlayerEvent[], near: readonly PlayerEvent[] = []) {
  return { pieces: piecesTouching(reported, near), showsPlay: near.some(isSign) };
}

function lookForPlay(beginning: readonly PlayerEvent[] = [], nowMs: number) {
  const atMs = playOf(beginning, nowMs);
  return atMs === undefined ? undefined : { atMs, isCounted: countedPlayOf(beginning) === atMs };
}

function windowOf(reported: readonly PlayerEvent[]): ViewWindow {
  const [first] = reported;
  assert(first, 'a view is one of an event');
  const { accountId, view } = first;
  const moments = reported.map(({ momentMs }) => momentMs);
  const fromMs = Math.min(...moments) - reachMs;
  return { accountId, view, fromMs, untilMs: Math.max(...moments) + reachMs };
}
