/** Keys that make keys, and keys that are guessed. */
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import { mostPipelined, pipeline } from './pipelined.ts';
import { all, type Stranger, statusesOf, stranger } from './stranger.ts';
import { addVictim } from './victim.ts';

/** Longer than the attack on any machine. */
const lifetimeMs = 3_600_000;
const itself = 'rotates itself';
const everyScope = ['stats:read', 'info:read', 'collect:write', 'manage'];

export const keyMakesMore: Attack = {
  name: 'key-makes-more',
  does: 'A key with the scope manage that expires in an hour makes keys of all scopes for ever, rotates itself, and rotates or copies a greater key',
  wanted: 'no key that it makes has more scopes or ends later than itself; it may rotate itself',
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const { manage } = victim.client;
    const expiresAt = new Date(Date.now() + lifetimeMs).toISOString();
    const great = await manage.addKey({ scopes: ['stats:read', 'manage', 'info:read'] });
    const brief = await manage.addKey({ scopes: ['manage'], expiresAt });
    const one = stranger(target, { address: stage.address() });
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const made = {
      'all scopes': await post(one, brief.key, '', { scopes: everyScope }),
      'no end': await post(one, brief.key, '', { scopes: ['manage'], expiresAt: null }),
      'a later end': await post(one, brief.key, '', { scopes: ['manage'], expiresAt: later }),
      'another scope': await post(one, brief.key, '', { scopes: ['stats:read'], expiresAt }),
      [itself]: await post(one, brief.key, `/${brief.keyId}/rotate`, {}),
      'rotates a greater one': await post(one, brief.key, `/${great.keyId}/rotate`, {}),
    };
    one.close();
    const greater = Object.entries(made).filter(([, answer]) => isGreater(answer, expiresAt));
    const others = Object.entries(made).filter(
      ([name, { status }]) => status !== (name === itself ? 201 : 403),
    );
    const statuses = Object.entries(made).map(([name, { status }]) => `${name} ${status}`);
    return {
      measured: statuses.join(', '),
      wrong: [
        ...greater.map(([name]) => `it got a greater key: ${name}`),
        ...others.map(([name, { status }]) => `${name} answered ${status}`),
      ],
    };
  },
};

interface Made {
  readonly status: number;
  readonly scopes?: readonly string[];
  readonly expiresAt?: string | null;
}

async function post(one: Stranger, key: string, path: string, body: object): Promise<Made> {
  const { status, text } = await one.send({
    method: 'POST',
    path: `/manage/v1/keys${path}`,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return status < 300 ? { ...JSON.parse(text), status } : { status };
}

function isGreater({ status, scopes = [], expiresAt }: Made, end: string): boolean {
  if (status >= 300) return false;
  const endsLater = expiresAt == null || Date.parse(expiresAt) > Date.parse(end);
  return endsLater || scopes.some((scope) => scope !== 'manage');
}

/** Tries a minute that may pass before an address has to wait. */
const mostTries = 300;
const managePerMinute = 300;
/** The attack may last longer than a minute. */
const mostManaged = 2 * managePerMinute;

export const guessedKeys: Attack = {
  name: 'guessed-keys',
  does: '3,000 wrong keys to /manage, /report and /info; then as many requests to /manage with a right one, of which 300 a minute are allowed',
  wanted: 'both are limited, and a right key from elsewhere still works',
  async strike(stage): Promise<Struck> {
    const environment = { MANAGE_LIMIT_PER_MINUTE: String(managePerMinute) };
    const target = await stage.start({ environment });
    const { key } = await addVictim(target);
    const guesser = stranger(target, { address: stage.address() });
    const paths = [
      '/manage/v1/keys',
      '/report/statistics/video/v1/os',
      '/info/videopack/folder/v1/info.json',
    ];
    const tries = stage.isLong ? 3_000 : 1_500;
    const startedAt = performance.now();
    const guessed = await all(Array(tries).keys(), 20, (number) =>
      guesser.send({
        path: paths[number % paths.length] ?? '',
        headers: { 'x-api-key': `pm_${number.toString(36).padStart(43, 'A')}` },
      }),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    guesser.close();
    const owner = stranger(target, { address: stage.address() });
    const headers = { 'x-api-key': key };
    const { status } = await owner.send({ path: '/manage/v1/keys', headers });
    const managed = await all(Array(tries).keys(), 20, () =>
      owner.send({ path: '/manage/v1/keys', headers }),
    );
    owner.close();
    const { 401: taken = 0, 429: guessesRefused = 0 } = statusesOf(guessed);
    const { 200: managedTaken = 0, 429: managedRefused = 0 } = statusesOf(managed);
    return {
      measured:
        `of ${tries} tries (${Math.round(tries / seconds)} a second) ${taken} were looked up, ` +
        `${JSON.stringify(statusesOf(guessed))}; a right key from elsewhere ${status}; of ${tries} ` +
        `managing requests ${managedTaken} answered`,
      wrong: wrongIn({
        [`${taken} tries`]: taken === 0 || taken > mostTries,
        [`${guessesRefused} tries refused`]: taken + guessesRefused !== tries,
        [`${managedTaken} managing requests`]: managedTaken === 0 || managedTaken > mostManaged,
        [`${managedRefused} managing requests refused`]: managedTaken + managedRefused !== tries,
        [`a right key from elsewhere: ${status}`]: status !== 200,
      }),
    };
  },
};

const wrongKeysPerMinute = 60;

export const pipelinedKeys: Attack = {
  name: 'pipelined-keys',
  does: '3,840 wrong keys at once: 32 requests on each of 120 connections, sent without waiting for answers',
  wanted: `${wrongKeysPerMinute} are looked up; players beside them are answered within 250 ms (p99)`,
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, victim);
    const connections = stage.isLong ? 120 : 10;
    const address = stage.address();
    const requestOf = (number: number) =>
      [
        'GET /manage/v1/keys HTTP/1.1',
        'host: 127.0.0.1',
        `x-api-key: pm_${number.toString(36).padStart(43, 'B')}`,
      ].join('\r\n');
    const tried = await Promise.all(
      Array.from({ length: connections }, (_, connection) =>
        pipeline(
          target,
          address,
          Array.from(
            { length: mostPipelined },
            (_, index) => `${requestOf(connection * mostPipelined + index)}\r\n\r\n`,
          ),
        ),
      ),
    );
    const seen = await bystanders.leave();
    const statuses = statusesOf(tried.flat());
    const { 401: lookedUp = 0 } = statuses;
    return {
      measured: `${JSON.stringify(statuses)}; ${seen.measured}`,
      wrong: [
        ...seen.wrong,
        ...wrongIn({
          // It may last longer than a minute.
          [`${lookedUp} were looked up`]: lookedUp > 2 * wrongKeysPerMinute,
          [`answers ${JSON.stringify(statuses)}`]: statuses[429] === undefined,
        }),
      ],
      slow: seen.slow,
    };
  },
};
