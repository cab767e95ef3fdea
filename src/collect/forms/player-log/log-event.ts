import { Compile } from 'typebox/compile';
import type { PublicationNumbers } from '../../../catalog/catalog.ts';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import { isLongerThan } from '../../../lib/values/text-length.ts';
import { maxPlayMs } from '../../../wire/beacons/beacon.ts';
import {
  PlayerLogEvent,
  type PlayerLogEventName,
  playerLogDataLimitChars,
  playerLogEvents,
} from '../../../wire/beacons/player-log.ts';
import type { Refusal } from '../../draft.ts';
import { identifyView } from '../../steps/view-identity.ts';
import type { SessionSeal } from './session-seal.ts';
import { readSessionStart } from './session-start.ts';

/** A range of the media that was played, in milliseconds. */
export interface PlayedRange {
  readonly startMs: number;
  readonly lengthMs: number;
  /** Whether the event said only where it ends. */
  readonly startIsDerived: boolean;
}

/** An event of a player log, in our terms. */
export interface LogEvent extends PublicationNumbers {
  readonly view: string;
  /** Whether the service gave its session; see session-seal.ts. */
  readonly isSealed: boolean;
  /** `uid`, if it has the form of a token. */
  readonly token: string | undefined;
  /** `cs`, read as UTC. */
  readonly sessionStartMs: number;
  /** Whether it shows that playback really started. */
  readonly showsPlay: boolean;
  readonly range: PlayedRange | undefined;
  /** The end of the range that began where the last one ended. */
  readonly stoppedAtMs: number | undefined;
}

/** A refusal, with the ids in the event, as far as they can be read. */
export interface LogRefusal extends Refusal {
  readonly numbers?: PublicationNumbers | undefined;
}

const form = Compile(PlayerLogEvent);
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** While the media is in its first minute, players report every 5 s, then every 10 s. */
const firstMinuteMs = 60_000;
const firstIntervalMs = 5_000;
const laterIntervalMs = 10_000;

/** A parameter as it was given: never, once or several times. */
export type LogData = string | readonly string[] | undefined;

export function readLogEvent(
  data: LogData,
  seal: Pick<SessionSeal, 'isOf'>,
): Result<LogEvent, LogRefusal> {
  if (data === undefined) return invalid('data: is required');
  if (typeof data !== 'string') return invalid('data: must be given once');
  const event = parse(data);
  if (!form.Check(event)) {
    const [error] = form.Errors(event);
    return invalid(`${error?.instancePath.slice(1) || 'data'}: ${error?.message ?? 'not valid'}`);
  }
  const numbers = {
    accountId: Number(event.gid),
    packageId: Number(event.pid),
    videoId: Number(event.vid),
  };
  // Read nevertheless, as far as a URL goes, so that its account learns of it.
  if (isLongerThan(data, playerLogDataLimitChars)) {
    return invalid(`data: must not be longer than ${playerLogDataLimitChars} characters`, numbers);
  }
  if (!isKnown(event.e)) {
    return refuse({ code: 'UNKNOWN_EVENT', detail: 'e: unknown event', numbers });
  }
  const cs = String(event.cs);
  const sessionStartMs = readSessionStart(cs);
  if (sessionStartMs === undefined) return invalid('cs: not a time that exists', numbers);
  const played = readRange(event.e, event);
  if (!played.ok) return invalid(played.reason, numbers);
  const { range, stoppedAtMs } = played.value;
  // Some apps write a UUID in capitals: it is the same one, or it could be sent in many spellings.
  const uid = String(event.uid);
  const lowered = uid.toLowerCase();
  const isSealed = seal.isOf({ ...numbers, cs }, lowered);
  const session = [...Object.values(numbers), cs, isSealed ? lowered : uid];
  return accept({
    ...numbers,
    view: identifyView('player-log', session.join(' ')),
    isSealed,
    token: tokenForm.test(uid) ? uid : undefined,
    sessionStartMs,
    // The only `vs` may be lost; a view with played time has started.
    showsPlay: event.e === 'vs' || range !== undefined || stoppedAtMs !== undefined,
    range,
    stoppedAtMs,
  });
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function isKnown(name: string): name is PlayerLogEventName {
  return Object.hasOwn(playerLogEvents, name);
}

type Played = Partial<Pick<LogEvent, 'range' | 'stoppedAtMs'>>;

function readRange(name: PlayerLogEventName, event: PlayerLogEvent): Result<Played, string> {
  if (!playerLogEvents[name].hasRange) return accept({});
  const { dst, det } = event;
  if (det == null || (dst == null && name !== 'vt')) return refuse(`${name} needs dst and det`);
  const endMs = Math.round(Number(det) * 1_000);
  const startMs = Math.round(Number(dst ?? 0) * 1_000);
  const lengthMs = endMs - startMs;
  if (startMs < 0) return refuse('dst: before the beginning');
  if (lengthMs > maxPlayMs) return refuse('det: more than a day after dst');
  if (lengthMs <= 0) return accept({});
  if (dst == null) return accept({ stoppedAtMs: endMs });
  const wasPlayed = name === 'vk' ? lengthMs <= intervalAt(startMs) : true;
  return accept(wasPlayed ? { range: { startMs, lengthMs, startIsDerived: false } } : {});
}

/** Some players put the seek's target into `det`: a longer range was not played. */
function intervalAt(startMs: number): number {
  return startMs < firstMinuteMs ? firstIntervalMs : laterIntervalMs;
}

function invalid(detail: string, numbers?: PublicationNumbers) {
  return refuse<LogRefusal>({ code: 'INVALID_BEACON', detail, numbers });
}
