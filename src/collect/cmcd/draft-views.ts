/** What the events just told add up to, view by view, with those that were told before. */
import type { PlayerEvent, ViewWindow } from '../../facts/facts.ts';
import type { Draft, Viewer } from '../draft.ts';
import type { EventReader } from '../read-together.ts';
import { type Piece, piecesOf, reachMs } from './pieces-of-view.ts';
import { playOf } from './play-of-view.ts';

/** Views whose play is known to be counted; only to ask less often. */
const rememberedPlays = 50_000;
/** A stretch's number is of 32 bits. */
const stretchNumbers = 2 ** 32;

export interface ViewDrafting {
  /** `told` is in the event log already. */
  draftsOf(told: readonly PlayerEvent[], viewer: Viewer, nowMs: number): Promise<Draft[]>;
  /** To be called when the facts of these drafts are durable. */
  remember(drafts: readonly Draft[]): void;
}

export function createViewDrafting(events: EventReader): ViewDrafting {
  const countedPlays = new Set<string>();
  return {
    async draftsOf(told, viewer, nowMs) {
      const byView = Map.groupBy(told, ({ view }) => view);
      const neighbours = Map.groupBy(await events.read(windowsOf(byView)), ({ view }) => view);
      const mayHavePlay = [...byView].flatMap(([view, [one]]) =>
        one && !countedPlays.has(view) && neighbours.get(view)?.some(isSign) ? [one] : [],
      );
      const beginnings = Map.groupBy(await events.beginnings(mayHavePlay), ({ view }) => view);
      return [...byView].flatMap(([view, ofView]) => {
        const drafts = draftsOfPieces(neighbours.get(view) ?? [], ofView, viewer);
        const atMs = playOf(beginnings.get(view) ?? [], nowMs);
        if (atMs === undefined) return drafts;
        return [{ view, stretch: 0, atMs, playMs: 0, plays: 1, viewer, facts: [] }, ...drafts];
      });
    },

    remember(drafts) {
      for (const { view, plays } of drafts) if (plays > 0) countedPlays.add(view);
      for (const oldest of countedPlays) {
        if (countedPlays.size <= rememberedPlays) break;
        countedPlays.delete(oldest);
      }
    },
  };
}

/** What the event log has to know before the plays of these drafts are counted. */
export function notesOf(drafts: readonly Draft[], accountId: number, nowMs: number): PlayerEvent[] {
  return drafts
    .filter(({ plays }) => plays > 0)
    .map(({ view, atMs: momentMs }) => {
      const told = { accountId, view, momentMs, sequence: 0, arrivalMs: nowMs };
      return { ...told, state: 'counted' };
    });
}

/** The pieces that begin, end or are joined by one of the events just told. */
function draftsOfPieces(
  neighbours: readonly PlayerEvent[],
  told: readonly PlayerEvent[],
  viewer: Viewer,
): Draft[] {
  const sequences = told.map(({ sequence }) => sequence);
  const touches = ({ from, until }: Piece) =>
    sequences.some((sequence) => sequence >= from.sequence && sequence <= until.sequence);
  return piecesOf(neighbours)
    .filter(touches)
    .map(({ from, until }) => ({
      view: from.view,
      // Pieces of a view never begin at one instant, while a player may count from 0 again.
      stretch: from.momentMs % stretchNumbers,
      atMs: from.momentMs,
      playMs: until.momentMs - from.momentMs,
      plays: 0,
      viewer,
      facts: [],
    }));
}

function isSign({ state }: PlayerEvent): boolean {
  return state === 'playing' || state === 'started';
}

function windowsOf(byView: ReadonlyMap<string, readonly PlayerEvent[]>): ViewWindow[] {
  return [...byView].flatMap(([view, told]) => {
    const [first] = told;
    if (!first) return [];
    const moments = told.map(({ momentMs }) => momentMs);
    const fromMs = Math.min(...moments) - reachMs;
    return [{ accountId: first.accountId, view, fromMs, untilMs: Math.max(...moments) + reachMs }];
  });
}
