/** Tokens by which a site vouches for a view: JWS compact, made by its server. */
import Type, { type Static } from 'typebox';

export const signingAlgorithms = ['HS256', 'EdDSA'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** What happens to playback without a valid token, by package. */
export const signingModes = ['open', 'prefer', 'require'] as const;
export const SigningMode = Type.Enum([...signingModes], {
  description:
    'What happens to playback without a valid token: `open` counts it, `prefer` sets it apart, ' +
    '`require` refuses it',
});
export type SigningMode = (typeof signingModes)[number];

export const tokenLimitCharacters = 1_024;
/** The longest name that a viewer can have; pages may report shorter ones only. */
export const maxSubCharacters = 256;
/** From `iat` to `exp`. */
export const tokenLifetimeSeconds = 24 * 60 * 60;
/** How far the clock of the site's server may be off. */
export const tokenToleranceMs = 60_000;
/** How long after `exp` a view that has begun may begin further stretches. */
export const goesOnMs = 24 * 60 * 60 * 1_000;

export const ViewToken = Type.String({
  maxLength: tokenLimitCharacters,
  description:
    "Token by which the site's server vouches for the view; see docs/signed-views.md. In every " +
    'beacon of the view',
});

const seconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 253_402_300_799, description });

export const ViewClaims = Type.Object({
  video: Type.String({ minLength: 1, maxLength: 64, description: 'The videoKey' }),
  jti: Type.String({
    maxLength: 128,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Id of the view, such as a UUID; new for each',
  }),
  iat: seconds('When the token was made, in seconds since 1970'),
  exp: seconds('Until when the view may begin, at most 24 hours after `iat`'),
  nbf: Type.Optional(seconds('When the view may begin at the earliest; default: `iat`')),
  sub: Type.Optional(
    Type.String({ minLength: 1, maxLength: maxSubCharacters, description: 'The viewer' }),
  ),
});
export type ViewClaims = Static<typeof ViewClaims>;
