/** An event of CMCD version 2 in event mode (CTA-5004-B): one line of the body. */
import { decodeCmcd } from '@svta/cml-cmcd';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import type { PlayerEvent } from '../../../store/facts.ts';
import type { Refusal } from '../../draft.ts';

export interface CmcdEvent {
  /** `sid`: the view. */
  readonly session: string;
  /** `sn`: counts the reports of a session to one target, from 0. */
  readonly sequence: number;
  /** `ts`: milliseconds since the epoch, by the sender's clock. */
  readonly momentMs: number;
  readonly state: PlayerEvent['state'];
}

/** Several times what players send; also the most that one event in a query may have. */
export const longestLine = 4_096;
const longestSession = 128;
const largestSequence = 4_294_967_295;

export function readCmcdEvent(line: string): Result<CmcdEvent, Refusal> {
  if (line.length > longestLine) return refused(`longer than ${longestLine} characters`);
  const event = decode(line);
  if (!event) return refused('not a line of CMCD');
  if (!isOfEventMode(event)) return refused(otherMode);
  const { sn, ts } = event;
  const sid = textOf(event.sid);
  if (typeof sid !== 'string' || sid === '' || sid.length > longestSession) {
    return refused(`sid: needed, of at most ${longestSession} characters`);
  }
  if (!isWhole(sn, largestSequence)) return refused('sn: needed, a whole number from 0');
  if (!isWhole(ts, Number.MAX_SAFE_INTEGER)) return refused('ts: needed, in milliseconds');
  return accept({ session: sid, sequence: sn, momentMs: ts, state: stateOf(event) });
}

/** Whether a text is meant as CMCD at all: all senders name the session, and few other texts do. */
export function isCmcd(text: string): boolean {
  return /(?:^|[,\n])\s*sid=/.test(text);
}

const otherMode =
  'of CMCD version 1, or of its request mode: event mode of version 2 is needed, which sends e, ' +
  'sid, sn, ts and sta to an event target';

/** Neither version 1 nor request mode sends these two keys. */
function isOfEventMode({ e, ts }: Readonly<Record<string, unknown>>): boolean {
  return e !== undefined || ts !== undefined;
}

function decode(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // TRICKY: by default each token becomes a symbol by `Symbol.for`, and those are never freed.
    return { ...decodeCmcd(line, { useSymbol: false }) };
  } catch {
    return undefined;
  }
}

/** The text of a token; whatever else a value is, it stays. */
function textOf(value: unknown): unknown {
  const isToken = typeof value === 'object' && value !== null && 'description' in value;
  return isToken ? value.description : value;
}

function isWhole(value: unknown, largest: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= largest;
}

/**
 * What the player was doing from this event on. A response carries the instant of its request. A
 * start delay (`msd`) without a state shows that playback began, and no more.
 */
function stateOf({ e, sta: state, msd }: Readonly<Record<string, unknown>>): PlayerEvent['state'] {
  const sta = textOf(state);
  if (textOf(e) === 'rr') return 'untimed';
  if (sta === 'p') return 'playing';
  return msd !== undefined && sta === undefined ? 'started' : 'resting';
}

function refused(detail: string) {
  return refuse<Refusal>({ code: 'INVALID_BEACON', detail });
}
