/** Works out, view by view, what new events and those reported before add up to. */
import { LRUCache } from 'lru-cache';
import type { PlayerEvent, ViewName, ViewWindow } from '../../facts/facts.ts';
import type { AgreeOnInstant } from '../agree-on-instant.ts';
import type { Device, Draft } from '../draft.ts';
import type { EventReader } from '../read-together.ts';
import { type Piece, piecesTouching, reachMs } from './pieces-of-view.ts';
import { countedPlayOf, isSign, playOf } from './play-of-view.ts';

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

  /** The play as a draft, once every request that counts it will count it at the same instant. */
  const draftPlay = async (
    { accountId, view }: ViewName,
    beginning: readonly PlayerEvent[],
    device: Device,
    nowMs: number,
  ): Promise<Draft[]> => {
    const proposalMs = playOf(beginning, nowMs);
    if (proposalMs === undefined) return [];
    const atMs = countedPlayOf(beginning) ?? (await agree({ accountId, view }, 'play', proposalMs));
    return [{ view, stretch: 0, atMs, playMs: 0, plays: 1, device, facts: [] }];
  };

  return {
    async draftsOf(reported, device, nowMs) {
      const byView = Map.groupBy(reported, ({ view }) => view);
      const neighbours = Map.groupBy(await events.read(windowsOf(byView)), ({ view }) => view);
      const mayHavePlay = [...byView].flatMap(([view, [one]]) =>
        one && !countedPlays.has(view) && neighbours.get(view)?.some(isSign) ? [one] : [],
      );
      const beginnings = Map.groupBy(await events.beginnings(mayHavePlay), ({ view }) => view);
      const plays = mayHavePlay.map((one) =>
        draftPlay(one, beginnings.get(one.view) ?? [], device, nowMs),
      );
      const pieces = [...byView].flatMap(([view, ofView]) =>
        piecesTouching(ofView, neighbours.get(view) ?? []).map((piece) => draftOf(piece, device)),
      );
      return [...(await Promise.all(plays)).flat(), ...pieces];
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

function draftOf({ from, until }: Piece, device: Device): Draft {
  return {
    view: from.view,
    // Pieces of a view hardly ever begin at one instant, while a player may count from 0 again.
    stretch: from.momentMs % stretchNumbers,
    atMs: from.momentMs,
    playMs: until.momentMs - from.momentMs,
    plays: 0,
    device,
    facts: [],
  };
}

function windowsOf(byView: ReadonlyMap<string, readonly PlayerEvent[]>): ViewWindow[] {
  return [...byView].flatMap(([view, reported]) => {
    const [first] = reported;
    if (!first) return [];
    const moments = reported.map(({ momentMs }) => momentMs);
    const fromMs = Math.min(...moments) - reachMs;
    return [{ accountId: first.accountId, view, fromMs, untilMs: Math.max(...moments) + reachMs }];
  });
}
