import { Compile } from 'typebox/compile';
import { accept, type Result, refuse } from '../../lib/result.ts';
import { maxPlayMs } from '../../wire/beacon.ts';
import { PlayerLogEvent, playerLogEvents } from '../../wire/player-log.ts';
import type { Refusal } from '../draft.ts';
import { identifyView } from '../identify-view.ts';
import { readSessionStart } from './session-start.ts';

/** A range of the media that was played, in milliseconds. */
export interface PlayedRange {
  readonly startMs: number;
  readonly lengthMs: number;
}

/** An event of a player log, told in our terms. */
export interface LogEvent {
  readonly accountId: number;
  readonly packageId: number;
  readonly videoId: number;
  readonly view: string;
  /** `cs`, read as UTC. */
  readonly sessionStartMs: number;
  /** Whether it shows that playback really started. */
  readonly showsPlay: boolean;
  readonly range: PlayedRange | undefined;
}

const form = Compile(PlayerLogEvent);

/** While the media is in its first minute, players report every 5 s, then every 10 s. */
const firstMinuteMs = 60_000;
const firstIntervalMs = 5_000;
const laterIntervalMs = 10_000;

export function readLogEvent(data: string): Result<LogEvent, Refusal> {
  const event = parse(data);
  if (!form.Check(event)) {
    const [error] = form.Errors(event);
    return refused(`${error?.instancePath.slice(1) || 'data'}: ${error?.message ?? 'not valid'}`);
  }
  const sessionStartMs = readSessionStart(String(event.cs));
  if (sessionStartMs === undefined) return refused('cs: not a time that exists');
  const range = rangeOf(event);
  if (!range.ok) return range;
  const [accountId, packageId, videoId] = [event.gid, event.pid, event.vid].map(Number) as [
    number,
    number,
    number,
  ];
  const session = [accountId, packageId, videoId, event.cs, event.uid];
  return accept({
    accountId,
    packageId,
    videoId,
    view: identifyView(`player-log ${session.join(' ')}`),
    sessionStartMs,
    // The one `vs` may be lost; who has played has started.
    showsPlay: event.e === 'vs' || range.value !== undefined,
    range: range.value,
  });
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function rangeOf({ e, dst, det }: PlayerLogEvent): Result<PlayedRange | undefined, Refusal> {
  if (!playerLogEvents[e].hasRange) return accept(undefined);
  if (dst === undefined || det === undefined) return refused(`${e} needs dst and det`);
  const startMs = Math.round(Number(dst) * 1_000);
  const lengthMs = Math.round(Number(det) * 1_000) - startMs;
  if (startMs < 0) return refused('dst: before the beginning');
  if (lengthMs > maxPlayMs) return refused('det: more than a day after dst');
  const wasPlayed = e === 'vk' ? lengthMs <= intervalAt(startMs) : true;
  return accept(lengthMs > 0 && wasPlayed ? { startMs, lengthMs } : undefined);
}

/** Some players put the seek's target into `det`: what is longer was not played. */
function intervalAt(startMs: number): number {
  return startMs < firstMinuteMs ? firstIntervalMs : laterIntervalMs;
}

function refused(detail: string) {
  return refuse<Refusal>({ code: 'INVALID_BEACON', detail });
}
