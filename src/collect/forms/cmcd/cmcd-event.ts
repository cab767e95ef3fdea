/** An event of CMCD version 2 in event mode (CTA-5004-B): one line of the body. */
import { decodeCmcd } from '@svta/cml-cmcd';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import type { PlayerEvent } from '../../../store/facts.ts';
import type { streamTypes as allStreamTypes } from '../../../vocabulary/waits.ts';
import { maxBitrate, maxPlaybackRate } from '../../../wire/beacons/beacon.ts';
import type { Refusal } from '../../draft.ts';
import { readErrorCode } from '../../enrich/quality-step.ts';

export interface CmcdEvent
  extends Pick<PlayerEvent, 'state' | 'error' | 'bitrate' | 'rate' | 'streamType'> {
  /** `sid`: the view. */
  readonly session: string;
  /** `sn`: counts the reports of a session to one target, from 0. */
  readonly sequence: number;
  /** `ts`: milliseconds since the epoch, by the sender's clock. */
  readonly momentMs: number;
}

/** Several times what players send; also the most that one event in a query may have. */
export const longestLine = 4_096;
const longestSession = 128;
/** As long as a beacon's. */
const longestError = 64;
const largestSequence = 4_294_967_295;

export function readCmcdEvent(line: string): Result<CmcdEvent, Refusal> {
  if (line.length > longestLine) return refused(`longer than ${longestLine} characters`);
  const event = decode(line);
  if (!event) return refused('not a line of CMCD');
  if (!isOfEventMode(event)) return refused(otherMode);
  const { sn, ts } = event;
  const sid = readText(event.sid);
  if (typeof sid !== 'string' || sid === '' || sid.length > longestSession) {
    return refused(`sid: needed, of at most ${longestSession} characters`);
  }
  if (!isWhole(sn, largestSequence)) return refused('sn: needed, a whole number from 0');
  if (!isWhole(ts, Number.MAX_SAFE_INTEGER)) return refused('ts: needed, in milliseconds');
  const told = { error: readError(event), streamType: readStreamType(event), ...readMedia(event) };
  return accept({ session: sid, sequence: sn, momentMs: ts, state: readState(event), ...told });
}

/** Whether a text is meant as CMCD at all: all senders name the session, and few other texts do. */
export function isCmcd(text: string): boolean {
  return /(?:^|[,\n])\s*sid=/.test(text);
}

const otherMode =
  'of CMCD version 1, or of its request mode: event mode of version 2 is needed, which sends e, ' +
  'sid, sn, ts and sta to an event target';

/** Neither version 1 nor request mode sends these two keys. */
function isOfEventMode({ e, ts }: Decoded): boolean {
  return e !== undefined || ts !== undefined;
}

type Decoded = Readonly<Record<string, unknown>>;

function decode(line: string): Decoded | undefined {
  try {
    // TRICKY: by default each token becomes a symbol by `Symbol.for`, and those are never freed.
    return { ...decodeCmcd(line, { useSymbol: false }) };
  } catch {
    return undefined;
  }
}

/** The text of a token; whatever else a value is, it stays. */
function readText(value: unknown): unknown {
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
function readState({ e, sta: state, msd, sf }: Decoded): PlayerEvent['state'] {
  const sta = readText(state);
  if (readText(e) === 'rr') return 'untimed';
  // TRICKY: dash.js says it as it loads, also where nobody asked it to play. Then it does not know
  // yet what kind of stream it has; hls.js always does.
  if (sta === 's') return sf === undefined ? 'resting' : 'starting';
  if (typeof sta === 'string' && Object.hasOwn(states, sta)) {
    return states[sta as keyof typeof states];
  }
  return msd !== undefined && sta === undefined ? 'started' : 'resting';
}

const states = {
  p: 'playing',
  k: 'seeking',
  r: 'stalled',
  w: 'waiting',
  f: 'failed',
  q: 'quit',
} as const;

/** dash.js repeats the last code in all events that follow. */
function readError({ e, ec }: Decoded): string | undefined {
  if (readText(e) !== 'e') return undefined;
  const [code] = listItems(ec).map(readText);
  if (typeof code !== 'string' && typeof code !== 'number') return undefined;
  // Of a wait's errors the largest holds: what is no code must not displace one.
  return readErrorCode(String(code).slice(0, longestError));
}

const streamTypes: Readonly<Record<string, (typeof allStreamTypes)[number]>> = {
  v: 'vod',
  l: 'live',
  ll: 'live',
};

function readStreamType({ st }: Decoded): string | undefined {
  const type = readText(st);
  return typeof type === 'string' && Object.hasOwn(streamTypes, type)
    ? streamTypes[type]
    : undefined;
}

/** Of what is shown, or else of what is loaded: of picture and sound together. */
function readMedia({ br, pb, pr }: Decoded): Pick<PlayerEvent, 'bitrate' | 'rate'> {
  const bitrate = Math.round(sumItems(pb) || sumItems(br));
  if (bitrate === 0 || bitrate > maxBitrate) return {};
  const rate = readNumber(pr) ?? 1;
  return rate > 0 && rate <= maxPlaybackRate ? { bitrate, rate } : {};
}

function sumItems(list: unknown): number {
  return listItems(list).reduce((sum: number, item) => sum + (readNumber(item) ?? 0), 0);
}

function listItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** A value may have parameters beside it. */
function readNumber(item: unknown): number | undefined {
  const value = typeof item === 'object' && item !== null && 'value' in item ? item.value : item;
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function refused(detail: string) {
  return refuse<Refusal>({ code: 'INVALID_BEACON', detail });
}
