/**
 * Says what a token vouches for, from memory if it was seen before, and lets each token count one
 * play. See docs/decisions/signed-views.md.
 */
import { createPublicKey, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Publication, SigningKey, SigningKeys } from '../../catalog/catalog.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import type { Sealer } from '../../lib/sealer.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Fact, PlayerEvent } from '../../store/facts.ts';
import type { ViewClaims } from '../../vocabulary/view-token.ts';
import type { Spool } from '../spool/spool.ts';
import type { EventReader } from '../steps/event-reader.ts';
import { type AgreeOnInstant, createAgreement } from '../steps/instant-agreement.ts';
import { identifyView } from '../steps/view-identity.ts';
import { type VerifiedToken, verifyToken } from './token-verification.ts';

const rememberedLimitTokens = 50_000;

/** The view that a valid token names. */
export interface SignedView {
  /** Its identity: the same for everything that comes under the token. */
  readonly view: string;
  /** `sub`: the viewer, by the site's own name. */
  readonly viewer: string | undefined;
  /** When it may begin (ms since the epoch). */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What a token is worth: the view, or a reason that says what is wrong with it. */
export type CheckedToken = Result<SignedView, string>;

export interface ReceivedToken {
  readonly token: string;
  /** The video that is reported under it. */
  readonly publication: Publication;
}

export interface ViewTokens {
  /** In the same order. */
  check(asked: readonly ReceivedToken[]): Promise<CheckedToken[]>;
  /** Undefined if there is no token. */
  checkOne(token: string | undefined, publication: Publication): Promise<CheckedToken | undefined>;
  readonly settlePlays: SettlePlays;
}

interface ViewTokensOptions {
  readonly signingKeys: Pick<SigningKeys, 'known'>;
  /** Opens the secrets of HS256. */
  readonly signingSealer: Pick<Sealer, 'open'>;
  readonly events: Pick<EventReader, 'read'>;
  readonly eventSpool: Pick<Spool<PlayerEvent>, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface Seen {
  /** Those it was checked with: with others it is checked again. */
  readonly keys: readonly SigningKey[];
  readonly verified: Result<VerifiedToken, string>;
}

export function createViewTokens(options: ViewTokensOptions): ViewTokens {
  const { signingKeys, signingSealer, clock } = options;
  const seen = createLruCache<string, Seen>(rememberedLimitTokens);
  const opened = new WeakMap<SigningKey, KeyObject>();
  const agree = createAgreement(options);
  const open = (key: SigningKey): KeyObject | undefined => {
    const keyObject = opened.get(key) ?? openKey(key, signingSealer);
    if (keyObject) opened.set(key, keyObject);
    return keyObject;
  };

  const check: ViewTokens['check'] = async (asked) => {
    const keysOf = new Map<number, readonly SigningKey[]>();
    for (const { accountId } of asked.map(({ publication }) => publication)) {
      if (!keysOf.has(accountId)) keysOf.set(accountId, await signingKeys.known(accountId));
    }
    const nowMs = clock.now();
    const checked: CheckedToken[] = [];
    for (const { token, publication } of asked) {
      const keys = keysOf.get(publication.accountId) ?? [];
      // Not the token itself: it may hold on to the whole request that it was cut from.
      const name = hash('sha256', `${publication.accountId} ${token}`, 'base64');
      const known = seen.get(name);
      const isKnown = known?.keys === keys;
      const verified = isKnown ? known.verified : await verifyToken(token, keys, open);
      if (!isKnown) seen.set(name, { keys, verified });
      checked.push(verified.ok ? viewFor(verified.value, publication, nowMs) : verified);
    }
    return checked;
  };

  return {
    settlePlays: onePlayAToken(agree),

    check,
    async checkOne(token, publication) {
      const [checked] = await check(token === undefined ? [] : [{ token, publication }]);
      return checked;
    },
  };
}

function viewFor(
  { claims, key }: VerifiedToken,
  publication: Publication,
  nowMs: number,
): CheckedToken {
  if (key.expiresAt && key.expiresAt.getTime() <= nowMs) {
    return refuse('token: the secret that signed it was replaced');
  }
  if (claims.video !== publication.videoKey) return refuse('token: of another video');
  return accept(toSignedView(claims));
}

/** Undefined for a secret that was sealed under another secret of the service. */
function openKey({ algorithm, material }: SigningKey, sealer: Pick<Sealer, 'open'>) {
  if (algorithm === 'EdDSA') {
    return createPublicKey({ key: Buffer.from(material), format: 'der', type: 'spki' });
  }
  const secret = sealer.open(material);
  return secret === undefined ? undefined : createSecretKey(secret, 'utf8');
}

export function identifySignedView(videoKey: string, jti: string): string {
  return identifyView('signed', hash('sha256', `${videoKey} ${jti}`, 'hex'));
}

function toSignedView({ video, jti, iat, nbf = iat, exp, sub }: ViewClaims): SignedView {
  return {
    view: identifySignedView(video, jti),
    viewer: sub,
    fromMs: Math.max(iat, nbf) * 1_000,
    untilMs: exp * 1_000,
  };
}

const rememberedLimitViews = 50_000;

/**
 * The facts without the plays that do not own the token of their view, to be written as they come
 * out. Rejects with UNAVAILABLE.
 */
export type SettlePlays = (facts: readonly Fact[], signed: ReadonlySet<string>) => Promise<Fact[]>;

/**
 * Lets each token count one play, whatever comes under it: other views, other devices, other
 * instants, at other nodes. The first play owns the token, and all agree which one that is.
 */
export function onePlayAToken(agree: AgreeOnInstant): SettlePlays {
  /** The owner of each signed view; only to ask less often. */
  const owners = createLruCache<string, number>(rememberedLimitViews);
  const asking = new Map<string, Promise<number>>();

  const ownerFor = async ({ accountId, view }: Fact, own: number): Promise<number> => {
    const key = `${accountId} ${view}`;
    const owner = owners.get(key);
    if (owner !== undefined) return owner;
    // Of those that come at once only one asks: many different ones would hold each other up.
    const asked =
      asking.get(key) ?? agree({ accountId, view }, 'token', own).finally(() => asking.delete(key));
    asking.set(key, asked);
    owners.set(key, await asked);
    return asked;
  };
  const ownsToken = async (fact: Fact): Promise<boolean> => {
    const own = findNumber(fact);
    return (await ownerFor(fact, own)) === own;
  };

  return async (facts, signed) => {
    const plays = facts.filter((fact) => fact.plays > 0 && signed.has(fact.view));
    const isOwner = await Promise.all(plays.map(ownsToken));
    const others = new Set(plays.filter((_, index) => !isOwner[index]));
    return facts.map((fact) => (others.has(fact) ? { ...fact, plays: 0 } : fact));
  };
}

/** All that tells the fact of a play from others of its view; 52 bits: so much fits an instant. */
function findNumber({ slotStart, stretch }: Fact): number {
  const text = JSON.stringify([slotStart, stretch]);
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);
}
