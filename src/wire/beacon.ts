/** What a player sends: POST /collect/v1/beacons. */
import Type, { type Static } from 'typebox';

export const maxBeaconsPerRequest = 1_000;
export const maxPlayMs = 24 * 60 * 60 * 1_000;
const maxStretch = 1_000_000;

/**
 * One stretch of playing as it stands: an uninterrupted run of playing inside a view. All beacons
 * of one stretch carry the same `at`; the largest `playMs` ever sent holds.
 */
export const Beacon = Type.Object(
  {
    view: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "One viewer's attempt at one video; a UUID by preference",
      examples: ['0b8f0b6e-7c2b-4f55-9f63-0a4b8f5d2c11'],
    }),
    stretch: Type.Integer({
      minimum: 0,
      maximum: maxStretch,
      description: 'Number of the stretch inside its view, from 0; 0 counts the play',
      examples: [0],
    }),
    at: Type.String({
      maxLength: 40,
      format: 'date-time',
      description: 'Instant at which the stretch began, RFC 3339, by the corrected clock',
      examples: ['2026-11-20T10:15:30.123Z'],
    }),
    playMs: Type.Integer({
      minimum: 0,
      maximum: maxPlayMs,
      description: 'How long the stretch has lasted so far, in milliseconds',
      examples: [43_200],
    }),
    videoKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Names a video in a package',
        examples: ['VIDEO_KEY'],
      }),
    ),
    accessKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'With packageId in place of videoKey; needs a collect:write key',
      }),
    ),
    packageId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    userAgent: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description: "The viewer's User-Agent; needs a collect:write key",
      }),
    ),
    platform: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "The viewer's platform as in Sec-CH-UA-Platform; needs a collect:write key",
      }),
    ),
    platformVersion: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'As in Sec-CH-UA-Platform-Version; needs a collect:write key',
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

/** Why a beacon is not counted. Every received beacon is counted or refused for one of these. */
export const refusalReasons = {
  INVALID_BEACON: 'A member of the beacon is missing or not valid',
  KEY_REQUIRED: 'The beacon says what only a sender with a collect:write key may say',
  UNKNOWN_VIDEO: 'No such video in a package',
  ORIGIN: 'The package does not allow the site that the player is on',
  TOO_OLD: 'The stretch began longer ago than is taken',
  IN_FUTURE: 'The stretch begins or runs on in the future',
  BOT: 'The sender says that it is a bot; set apart',
} as const;
export type RefusalReason = keyof typeof refusalReasons;

export const BeaconsAnswer = Type.Object(
  {
    accepted: Type.Integer({ minimum: 0, description: 'Beacons that are counted, and durable' }),
    rejected: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0, description: 'Place in the request, from 0' }),
          code: Type.Enum(Object.keys(refusalReasons) as RefusalReason[], {
            description: 'Why it is not counted',
          }),
          detail: Type.String(),
        },
        { title: 'RefusedBeacon', additionalProperties: false },
      ),
      { description: 'Beacons refused for good: sending them again is of no use' },
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
