/** What existing native players send, one GET an event: /play/api/videoPlays?data=<JSON>. */
import Type, { type Static } from 'typebox';

/** Event names, and whether the event comes with a range that was played. */
export const playerLogEvents = {
  pl: { label: 'loaded', hasRange: false },
  sr: { label: 'ready', hasRange: false },
  vs: { label: 'play started', hasRange: false },
  vi: { label: 'still playing', hasRange: true },
  vp: { label: 'paused', hasRange: true },
  vk: { label: 'seeking', hasRange: true },
  vt: { label: 'stopped', hasRange: true },
} as const;
export type PlayerLogEventName = keyof typeof playerLogEvents;

const maxNumber = 4_294_967_295;

/** Players differ in whether they quote numbers. */
const numberOf = (description: string) =>
  Type.Union(
    [Type.Integer({ minimum: 1, maximum: maxNumber }), Type.String({ pattern: '^[1-9]\\d{0,9}$' })],
    { description },
  );

const seconds = (description: string) =>
  Type.Optional(
    Type.Union([Type.Number(), Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,9})?$' })], {
      description,
    }),
  );

const eventList = Object.entries(playerLogEvents)
  .map(([name, { label }]) => `${name} ${label}`)
  .join(', ');

export const PlayerLogEvent = Type.Object(
  {
    e: Type.Enum(Object.keys(playerLogEvents) as PlayerLogEventName[], {
      description: `What happened: ${eventList}`,
    }),
    gid: numberOf('Account'),
    pid: numberOf('Package'),
    vid: numberOf('Video'),
    plid: Type.Optional(Type.Unknown({ description: 'Player; not looked at' })),
    uid: Type.Union([Type.String({ minLength: 1, maxLength: 128 }), Type.Integer({ minimum: 0 })], {
      description: 'Viewer',
    }),
    cs: Type.Union([Type.String({ pattern: '^\\d{14}$' }), Type.Integer({ minimum: 1 })], {
      description: 'Start of the session, yyyyMMddhhmmss, in UTC as the service gave it',
    }),
    dtt: Type.Optional(Type.Unknown({ description: 'Length of the video; not looked at' })),
    dst: seconds('Where in the video the range just played begins, in seconds'),
    det: seconds('Where it ends; in an event `vk` possibly the target of the seek'),
  },
  { title: 'PlayerLogEvent' },
);
export type PlayerLogEvent = Static<typeof PlayerLogEvent>;

export const PlayerLogRequest = Type.Object({
  data: Type.String({
    minLength: 1,
    maxLength: 4_096,
    description: 'The event, as JSON',
    contentMediaType: 'application/json',
    contentSchema: PlayerLogEvent,
  }),
});

export const StatsInfoRequest = Type.Object({
  k: Type.String({ minLength: 1, maxLength: 64, description: 'The videoKey' }),
});

const ErrorInfo = Type.Object(
  {
    errorCode: Type.String({ description: '`None`, or why the event is not counted' }),
    errorMessage: Type.String(),
  },
  { title: 'ErrorInfo', additionalProperties: false },
);
export type ErrorInfo = Static<typeof ErrorInfo>;

export const noError: ErrorInfo = { errorCode: 'None', errorMessage: '' };

export const PlayerLogAnswer = Type.Object(
  { errorInfo: ErrorInfo },
  { title: 'PlayerLogAnswer', additionalProperties: false },
);

export const StatsInfo = Type.Object(
  {
    statsInfo: Type.Object(
      {
        gid: Type.Integer({ description: 'Account' }),
        pid: Type.Integer({ description: 'Package' }),
        vid: Type.Integer({ description: 'Video' }),
        plid: Type.Integer({ description: 'Player; always 1' }),
        uid: Type.String({ description: 'Viewer: new with every answer' }),
        cs: Type.String({
          pattern: '^\\d{14}$',
          description: 'Now, by the clock of the service in UTC: yyyyMMddhhmmss',
        }),
        errorInfo: ErrorInfo,
      },
      { additionalProperties: false },
    ),
  },
  { title: 'StatsInfo', additionalProperties: false },
);
export type StatsInfo = Static<typeof StatsInfo>;
