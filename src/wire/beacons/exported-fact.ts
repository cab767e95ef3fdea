/** A raw fact as `export --format jsonl` writes it, a line each; `beacons import` reads it back. */
import Type, { type Static } from 'typebox';
import {
  connections,
  maxWaitMs,
  streamTypes,
  waitCauseNames,
  waitOutcomeNames,
} from '../../vocabulary/waits.ts';
import { maxFrames, maxMediaBits, maxPlaybackRate, maxPlayMs } from './beacon.ts';

const whole = (maximum: number) => Type.Integer({ minimum: 0, maximum });
const text = (maxLength: number) => Type.String({ maxLength });
const details = text(512);

export const ExportedFact = Type.Object({
  /** Start of the slot. */
  slot: text(40),
  packageName: text(256),
  /** The video's access key. */
  video: Type.String({ minLength: 1, maxLength: 64 }),
  os: text(64),
  osVersion: text(64),
  view: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  stretch: whole(4_294_967_295),
  plays: whole(1),
  playMs: whole(900_000),
  startedAt: Type.Union([text(40), Type.Null()]),
  laterMs: whole(maxPlayMs),
  position: Type.Union([whole(Number.MAX_SAFE_INTEGER), Type.Null()]),
  mediaMs: whole(maxPlayMs * maxPlaybackRate),
  /** The stored hash, in decimal digits; empty: none. */
  viewer: Type.String({ pattern: '^\\d{0,20}$' }),
  country: details,
  device: details,
  browser: details,
  browserVersion: details,
  host: details,
  page: details,
  referrer: details,
  player: details,
  // Release 0.2.0 exported none of these.
  streamType: Type.Optional(Type.Enum([...streamTypes, ''])),
  connection: Type.Optional(Type.Enum([...connections, ''])),
  quality: Type.Optional(Type.Enum(['reported', ''])),
  /** Of a wait; empty: it is none. */
  waitMs: Type.Optional(whole(maxWaitMs)),
  cause: Type.Optional(Type.Enum([...waitCauseNames, ''])),
  outcome: Type.Optional(Type.Enum([...waitOutcomeNames, ''])),
  error: Type.Optional(text(64)),
  mediaHost: Type.Optional(details),
  mediaBits: Type.Optional(whole(maxMediaBits)),
  frames: Type.Optional(whole(maxFrames)),
  droppedFrames: Type.Optional(whole(maxFrames)),
});
export type ExportedFact = Static<typeof ExportedFact>;

export const labelPrefix = 'label.';
