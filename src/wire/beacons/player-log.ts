/** What existing native players send, one GET an event: /play/api/videoPlays?data=<JSON>. */
import Type, { type Static } from 'typebox';
import { tokenLimitCharacters } from '../../vocabulary/view-token.ts';

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
    Type.Union([Type.Number(), Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,9})?$' }), Type.Null()], {
      description,
    }),
  );

const eventList = Object.entries(playerLogEvents)
  .map(([name, { label }]) => `${name} ${label}`)
  .join(', ');

export const PlayerLogEvent = Type.Object(
  {
    e: Type.String({
      maxLength: 64,
      description: `What happened: ${eventList}; others are not counted`,
    }),
    gid: numberOf('Id of the account'),
    pid: numberOf('Id of the package'),
    vid: numberOf('Id of the video'),
    plid: Type.Optional(Type.Unknown({ description: 'Player; ignored' })),
    uid: Type.Union(
      [
        Type.String({ minLength: 1, maxLength: tokenLimitCharacters }),
        Type.Integer({ minimum: 0 }),
      ],
      { description: "Viewer, as the service sent it, or a token by the site's server" },
    ),
    cs: Type.Union([Type.String({ pattern: '^\\d{14}$' }), Type.Integer({ minimum: 1 })], {
      description: 'Start of the session in UTC, yyyyMMddhhmmss, as the service sent it',
    }),
    dtt: Type.Optional(Type.Unknown({ description: 'Length of the video; ignored' })),
    dst: seconds(
      'Start of the range just played, as a position in the video in seconds; a `vt` without it ' +
        'continues the last range',
    ),
    det: seconds('End of that range; in `vk` events some players send the target of the seek'),
  },
  { title: 'PlayerLogEvent' },
);
export type PlayerLogEvent = Static<typeof PlayerLogEvent>;

export const playerLogDataLimitChars = 4_096;

/** As it should be; whatever else comes is not counted, and answered 200 all the same. */
export const PlayerLogRequest = Type.Object({
  data: Type.String({
    minLength: 1,
    maxLength: playerLogDataLimitChars,
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
    errorCode: Type.String({ description: '`None`, or why the event was not counted' }),
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
        gid: Type.Integer({ description: 'Id of the account' }),
        pid: Type.Integer({ description: 'Id of the package' }),
        vid: Type.Integer({ description: 'Id of the video' }),
        plid: Type.Integer({ description: 'Player; always 1' }),
        uid: Type.String({
          description: 'Id of the viewer, new in every answer; send it back unchanged',
        }),
        cs: Type.String({
          pattern: '^\\d{14}$',
          description: 'Time of the service in UTC, yyyyMMddhhmmss',
        }),
        errorInfo: ErrorInfo,
      },
      { additionalProperties: false },
    ),
  },
  { title: 'StatsInfo', additionalProperties: false },
);
export type StatsInfo = Static<typeof StatsInfo>;

/** What native players ask for first: where the video is. */
export const VideoDetail = Type.Object(
  {
    VideoDetail: Type.Object(
      {
        videoUrl: Type.String({ description: 'URL of the video on the content host' }),
        videoInfo: Type.Object(
          { id: Type.Integer({ description: 'Id of the video' }), opt: Type.Literal('NONE') },
          { additionalProperties: false },
        ),
        PlayerType: Type.Object(
          { gid: Type.Integer({ description: 'Id of the account' }) },
          { additionalProperties: false },
        ),
        CuePointList: Type.Array(Type.Unknown(), { description: 'Always empty', maxItems: 0 }),
        errorInfo: ErrorInfo,
      },
      { additionalProperties: false },
    ),
  },
  { title: 'NativeVideoDetail', additionalProperties: false },
);
export type VideoDetail = Static<typeof VideoDetail>;

/** Sent beside the player log; nothing of it is read. */
export const IgnoredRequest = Type.Object({
  data: Type.Optional(Type.String({ description: 'Ignored' })),
});
