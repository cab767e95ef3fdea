/** Views of a package that asks for signed ones: without a token, with a forged or a shared one. */
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { type Attack, type Stage, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import { all, madeUpBeacon, type Stranger, statusesOf, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim, type Playback, playbackOf, type Victim } from './victim.ts';

const playMs = 600_000;
/** A view of ten minutes lies in two slots at most, and has no more time than they have. */
const mostSeconds = 1_800;
const tokenCharacters = 1_000;

interface Signed {
  readonly target: Target;
  readonly victim: Victim;
  readonly secret: string;
}

export const sharedToken: Attack = {
  name: 'shared-token',
  does: 'A package that requires signed views: no token, forged ones, and one good token that 200 viewers on many systems share',
  wanted:
    'without a good token nothing counts; a shared one counts one play and the time of one view',
  async strike(stage): Promise<Struck> {
    const signed = await requireTokens(stage);
    if (!signed) return noSignedViews;
    const { target, victim, secret } = signed;
    const one = stranger(target, { address: stage.address() });
    const other = await addVictim(target);
    const good = claimsOf(victim);
    const bad: Readonly<Record<string, string | undefined>> = {
      none: undefined,
      empty: '',
      'no algorithm': tokenOf(good, secret, { alg: 'none' }).replace(/[^.]+$/, ''),
      'another secret': tokenOf(good, randomUUID()),
      altered: altered(tokenOf(claimsOf(other), secret), good),
      'of another video': tokenOf(claimsOf(other), secret),
      expired: tokenOf({ ...good, iat: 1_700_000_000, exp: 1_700_003_600 }, secret),
      'of a year': tokenOf({ ...good, exp: good.iat + 31_536_000 }, secret),
      'without a view': tokenOf({ ...good, jti: '' }, secret),
      'a critical header': tokenOf(good, secret, { crit: ['exp'], exp: 1 }),
    };
    for (const token of Object.values(bad)) await report(one, victim, [token]);
    const ofBad = totalOf(await playbackOf(target, victim));
    const token = tokenOf(good, secret);
    await report(one, victim, Array<string>(100).fill(token));
    const ofShared = totalOf(await playbackOf(target, victim));
    await report(one, victim, Array<string>(100).fill(token), true);
    const ofSystems = totalOf(await playbackOf(target, victim));
    one.close();
    return {
      measured:
        `${Object.keys(bad).length} bad tokens: ${shown(ofBad)}; one shared by 100: ` +
        `${shown(ofShared)}; by 100 more, each on a system of its own: ${shown(ofSystems)}`,
      wrong: wrongIn({
        [`bad tokens: ${shown(ofBad)}`]: ofBad.plays + ofBad.seconds > 0,
        [`shared: ${shown(ofShared)}`]: ofShared.plays !== 1 || ofShared.seconds > mostSeconds,
        [`on many systems: ${shown(ofSystems)}`]:
          ofSystems.plays !== 1 || ofSystems.seconds > mostSeconds,
      }),
    };
  },
};

export const costlyTokens: Attack = {
  name: 'costly-tokens',
  does: '40 requests, each of 700 beacons with a token of its own whose signature has to be checked',
  wanted: 'nothing counts, players beside it are answered within 250 ms (p99)',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const signed = await requireTokens(stage);
    if (!signed) return noSignedViews;
    const { target, victim } = signed;
    const { publicKey } = generateKeyPairSync('ed25519');
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const one = stranger(target, { address: stage.address(), connections: 8 });
    const added = await one.send({
      method: 'POST',
      path: '/manage/v1/signing-keys',
      headers: { 'x-api-key': victim.key, 'content-type': 'application/json' },
      body: JSON.stringify({ publicKey: pem }),
    });
    const watched = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, watched);
    const requests = stage.isLong ? 40 : 3;
    const tokensPerRequest = 700;
    const answers = await all(Array(requests).keys(), 8, () =>
      report(
        one,
        victim,
        Array.from({ length: tokensPerRequest }, () => unsigned(claimsOf(victim))),
      ),
    );
    one.close();
    const seen = await bystanders.leave();
    const counted = totalOf(await playbackOf(target, victim));
    // Whatever else is wrong with a token is found before its signature is checked.
    const checked = answers.flatMap(
      ({ text }) => text.match(/no signing key [^"]*made its signature/g) ?? [],
    );
    return {
      measured: `${JSON.stringify(statusesOf(answers))}, ${shown(counted)}; ${seen.measured}`,
      wrong: [
        ...seen.wrong,
        ...wrongIn({
          [`a public key: ${added.status} ${added.text}`]: added.status >= 300,
          [`only ${checked.length} signatures checked`]: checked.length < tokensPerRequest,
          [shown(counted)]: counted.plays + counted.seconds > 0,
        }),
      ],
      slow: seen.slow,
    };
  },
};

const noSignedViews: Struck = { measured: 'there are no signed views', wrong: ['none'] };

/** Undefined for a release that knows none. */
async function requireTokens(stage: Stage): Promise<Signed | undefined> {
  const target = await stage.start();
  const victim = await addVictim(target);
  const { accountId, packageId, key } = victim;
  const made = await target
    .run('signing', 'create', '--account', String(accountId))
    .catch(() => undefined);
  if (!made) return undefined;
  const change = await fetch(`${target.url}/manage/v1/packages/${packageId}`, {
    method: 'PATCH',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ signing: 'require' }),
  });
  if (!change.ok) throw new Error(`The package was not changed: ${await change.text()}`);
  return { target, victim, secret: String(made.secret) };
}

/** One request: a view for each token, of ten minutes that have just ended. */
function report(
  one: Stranger,
  { videoKey }: Victim,
  tokens: readonly (string | undefined)[],
  onManySystems = false,
) {
  return one.report(
    tokens.map((token, index) => ({
      ...madeUpBeacon(videoKey, playMs),
      stretch: index,
      ...(token === undefined ? {} : { token }),
      ...(onManySystems ? { platform: 'Linux', platformVersion: `6.${index % 100}` } : {}),
    })),
  );
}

interface Claims {
  readonly video: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

function claimsOf({ videoKey }: Victim): Claims {
  const iat = Math.floor(Date.now() / 1_000) - 700;
  return { video: videoKey, jti: randomUUID(), iat, exp: iat + 3_600 };
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function tokenOf(claims: Claims, secret: string, header: object = {}): string {
  const content = `${encoded({ alg: 'HS256', ...header })}.${encoded(claims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** As long as may be, of the algorithm that takes longest, with a signature of the right form. */
function unsigned(claims: Claims): string {
  const header = encoded({ alg: 'EdDSA' });
  const signature = Buffer.alloc(64, randomUUID()).toString('base64url');
  const room = tokenCharacters - header.length - signature.length - 140;
  return `${header}.${encoded({ ...claims, sub: 'a'.repeat(Math.max(1, room / 2)) })}.${signature}`;
}

/** The claims of another view under the same signature. */
function altered(token: string, claims: Claims): string {
  const [header, , signature] = token.split('.');
  return `${header}.${encoded(claims)}.${signature}`;
}

function totalOf(bySystem: ReadonlyMap<string, Playback>): Playback {
  const all = [...bySystem.values()];
  return {
    plays: all.reduce((sum, { plays }) => sum + plays, 0),
    seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

function shown({ plays, seconds }: Playback): string {
  return `${plays} plays, ${seconds} s`;
}
