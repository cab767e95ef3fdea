/** What a player sends: POST /collect/v1/beacons. */
import Type, { type Static } from 'typebox';
import { ViewToken } from '../../vocabulary/view-token.ts';
import {
  connections,
  maxWaitMs,
  mostWaits,
  streamTypes,
  waitCauseNames,
  waitOutcomeNames,
} from '../../vocabulary/waits.ts';

export const maxBeaconsPerRequest = 1_000;
export const maxPlayMs = 24 * 60 * 60 * 1_000;
const maxStretch = 1_000_000;
/** In kbit/s: far above what any stream has. */
export const maxBitrate = 400_000;
export const maxMediaBits = maxBitrate * maxPlayMs;
export const maxFrames = 2 ** 32 - 1;
/** The fastest that browsers play. */
export const maxPlaybackRate = 16;
/** Of the labels that a beacon reports, so many are kept, with values of so many characters. */
export const maxLabelsOfBeacon = 5;
export const maxLabelCharacters = 64;
export const maxViewerCharacters = 64;
/** RFC 3339 allows a second any number of digits; this leaves 43, far more than clocks have. */
export const instantLimitChars = 64;
/** Far more than any account has declared. */
const maxLabelsReported = 100;

/**
 * One stretch of playing as it stands: an uninterrupted run of playing inside a view. All beacons
 * of one stretch carry the same `at`; the largest `playMs` ever sent holds. With `wait` in place of
 * `stretch` it is a run of waiting, of which the same is true.
 */
export const Beacon = Type.Object(
  {
    view: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Id of the view (one viewer's attempt at one video), preferably a UUID",
      examples: ['0b8f0b6e-7c2b-4f55-9f63-0a4b8f5d2c11'],
    }),
    stretch: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxStretch,
        description: 'Number of the stretch within its view, from 0. Stretch 0 counts the play',
        examples: [0],
      }),
    ),
    at: Type.String({
      maxLength: instantLimitChars,
      format: 'date-time',
      description: "When the stretch began, by the server's clock; see the header `Server-Time`",
      examples: ['2026-11-20T10:15:30.123Z'],
    }),
    playMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxPlayMs,
        description: 'How long the stretch has lasted so far, in milliseconds; with `stretch`',
        examples: [43_200],
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: mostWaits - 1,
        description:
          'In place of `stretch`: number of a wait within its view, from 0, apart from the ' +
          'stretches. Wait 0 is the start: from the request to play to the first frame that plays',
      }),
    ),
    waitMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxWaitMs,
        description: 'How long the wait has lasted so far, without pauses, in milliseconds',
      }),
    ),
    cause: Type.Optional(
      Type.Enum(waitCauseNames, {
        description:
          'Why the viewer waits. Wait 0 is `start`, and no other is; `stall`: the media ran dry; ' +
          '`seek`: the viewer jumped; `error`: playback broke off without a wait',
      }),
    ),
    outcome: Type.Optional(
      Type.Enum(waitOutcomeNames, {
        description:
          'How the wait ended: `waiting` so far, `left` by the viewer, `failed` with a fatal ' +
          'error, `played`. The last in this order that was ever told holds',
      }),
    ),
    error: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A short code, with `failed`, `played` after it, or the cause `error`',
      }),
    ),
    mediaHost: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Host that the media comes from; with anything else it is `Unknown`',
      }),
    ),
    mediaBits: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxMediaBits,
        description:
          'Bits of the media played in the stretch so far: the bitrate of what is shown times ' +
          'media time. It only grows, like `playMs`',
      }),
    ),
    frames: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxFrames,
        description: 'Frames of the stretch so far, with those that were dropped; it only grows',
      }),
    ),
    droppedFrames: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxFrames,
        description: 'Of these, frames that were not shown',
      }),
    ),
    streamType: Type.Optional(
      Type.Enum([...streamTypes], { description: 'Whether the media is a live stream' }),
    ),
    connection: Type.Optional(
      Type.Enum([...connections], {
        description: "The browser's `navigator.connection.effectiveType`",
      }),
    ),
    videoKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Key of the video in its package; public, so no API key is needed',
        examples: ['VIDEO_KEY'],
      }),
    ),
    accessKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Original key of the video: with `packageId` and an API key, instead of `videoKey`',
      }),
    ),
    packageId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Id of the package; only with `accessKey`',
      }),
    ),
    userAgent: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description: 'User-Agent of the device; needs an API key',
      }),
    ),
    platform: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Platform of the device, as in `navigator.userAgentData.platform` or the header ' +
          '`Sec-CH-UA-Platform`, which it overrides. Send the same in every beacon of a view: ' +
          'another value counts under another operating system',
        examples: ['Windows'],
      }),
    ),
    platformVersion: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Version of the platform, as in `Sec-CH-UA-Platform-Version`; the same in every beacon ' +
          'of a view',
        examples: ['15.0.0'],
      }),
    ),
    token: Type.Optional(ViewToken),
    position: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Where in the media the stretch began, in milliseconds; the same in all its beacons',
        examples: [61_000],
      }),
    ),
    mediaMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxPlayMs * maxPlaybackRate,
        description:
          'How far the media has advanced in the stretch so far, in milliseconds: at double ' +
          'speed about twice `playMs`, played backwards 0. Like `playMs` it only grows. More than ' +
          `${maxPlaybackRate} times \`playMs\`, faster than any browser plays, counts as that much, ` +
          'and the answer says so in `bounded`',
        examples: [43_200],
      }),
    ),
    viewer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxViewerCharacters,
        description:
          "The page's own name of the viewer. Only a keyed hash is stored, never the text",
        examples: ['student-4711'],
      }),
    ),
    page: Type.Optional(
      Type.String({
        description:
          'URL of the page. Its host and path are kept, at most 512 characters; query and ' +
          'fragment never are. Only http: and https: count; with any other text the page is ' +
          '`Unknown`, and the beacon counts all the same',
        examples: ['https://www.example.com/lessons/3'],
      }),
    ),
    referrer: Type.Optional(
      Type.String({
        description:
          'URL that led to the page; only its host is kept, or of `android-app:` the name of ' +
          'the app. With any other text it is `Unknown`',
        examples: ['https://www.google.com/'],
      }),
    ),
    player: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The player, as `name/version`; anything else counts as `Unknown`',
        examples: ['hls.js/1.7.2'],
      }),
    ),
    labels: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: maxLabelsReported,
        description:
          'Values of labels that the account has declared. Other names, values of more than ' +
          `${maxLabelCharacters} characters, and what is beyond ${maxLabelsOfBeacon} labels (by ` +
          'name) are left out and counted as such; the beacon itself counts',
        examples: [{ course: 'algebra' }],
      }),
    ),
    address: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "The viewer's IP address; needs an API key. Used for the country and the anonymous " +
          'viewer, then forgotten',
        examples: ['203.0.113.9'],
      }),
    ),
  },
  { title: 'Beacon' },
);
export type Beacon = Static<typeof Beacon>;

/** The body as it should be; a beacon in it that does not fit is refused by itself. */
export const BeaconsRequest = Type.Object(
  { beacons: Type.Array(Beacon, { maxItems: maxBeaconsPerRequest }) },
  { title: 'BeaconsRequest' },
);

/** Why a beacon is refused. Every other one is counted or set apart; see suspects.ts. */
export const refusalReasons = {
  INVALID_BEACON: 'A member is missing or invalid',
  KEY_REQUIRED: 'A member needs an API key with the scope collect:write',
  UNKNOWN_VIDEO: 'The video is in no package',
  RETIRED_VIDEO: 'The video was taken out of its package',
  UNKNOWN_EVENT: 'Player logs have no such event',
  UNSEALED: 'This service did not issue the player-log session, and the account accepts no others',
  UNSIGNED: 'The package requires signed views, and this one has no valid token',
  ORIGIN: 'The package does not allow playback on this site',
  TOO_OLD: 'The stretch began too long ago',
  IN_FUTURE: 'The stretch begins or ends in the future',
  OTHER_BEGINNING: 'Another stretch of the view has this number; number on under its name',
  BOT: 'The User-Agent belongs to a bot',
  TOO_MANY_EVENTS: 'One address reports more events of one view than a player does',
  TOO_MUCH_APART: 'It is unusual, and too much of the account was set apart',
} as const;
export type RefusalReason = keyof typeof refusalReasons;

/** Of a label whose value does not fit. */
export const refusedLabelDetail = `Its value has more than ${maxLabelCharacters} characters, or one that cannot be shown`;

export const BeaconsAnswer = Type.Object(
  {
    accepted: Type.Integer({
      minimum: 0,
      description:
        'Beacons that are safely stored. Unusual ones are set apart and not counted; those whose ' +
        'playback was erased before, or is of days whose single facts are erased ' +
        '(`factsMonths`), are left out, and the ledger counts them as `erased`',
    }),
    rejected: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0, description: 'Position in the request, from 0' }),
          code: Type.Enum(Object.keys(refusalReasons) as RefusalReason[], {
            description: 'Why it was refused',
          }),
          detail: Type.String({ description: 'The same in words' }),
        },
        { title: 'RefusedBeacon', additionalProperties: false },
      ),
      { description: 'Refused beacons; sending them again does not help' },
    ),
    refusedLabels: Type.Optional(
      Type.Array(
        Type.Object(
          {
            index: Type.Integer({ minimum: 0, description: 'Position in the request, from 0' }),
            label: Type.String({ description: 'Name of the label' }),
            detail: Type.String({ description: 'What is wrong with its value' }),
          },
          { title: 'RefusedLabel', additionalProperties: false },
        ),
        {
          description:
            'Labels that were left out of accepted beacons, though the account has declared them: ' +
            'their values do not fit. Absent where there are none',
        },
      ),
    ),
    bounded: Type.Optional(
      Type.Array(
        Type.Object(
          {
            index: Type.Integer({ minimum: 0, description: 'Position in the request, from 0' }),
            member: Type.Literal('mediaMs', { description: 'The member that was too large' }),
            value: Type.Integer({ minimum: 0, description: 'What it counts as' }),
          },
          { title: 'BoundedBeacon', additionalProperties: false },
        ),
        {
          description:
            'Accepted beacons of which a member counts as less than was sent: `mediaMs`, at most ' +
            `${maxPlaybackRate} times \`playMs\`. Absent where there are none`,
        },
      ),
    ),
  },
  {
    title: 'BeaconsAnswer',
    additionalProperties: false,
    examples: [
      {
        accepted: 1,
        rejected: [{ index: 1, code: 'UNKNOWN_VIDEO', detail: refusalReasons.UNKNOWN_VIDEO }],
      },
    ],
  },
);
export type BeaconsAnswer = Static<typeof BeaconsAnswer>;

/** What the command line prints; `accepted` counts those erased too, as for every sender. */
export interface ImportAnswer extends BeaconsAnswer {
  /** Of those accepted: left out, because their playback was erased before. */
  readonly erased: number;
}
