/**
 * Where limits by key and by address are counted: in PostgreSQL for all nodes, by the parent for
 * the workers of the only node, or here. Why and how exactly: docs/decisions/shared-limits.md.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Catalog, LimitWindows } from '../../catalog/catalog.ts';
import { createProcessLimiters, type Limiter, type LimiterOf } from '../../lib/limits/limiter.ts';
import {
  createSharedLimiter,
  type TakenPoints,
  type WantedPoints,
} from '../../lib/limits/shared-limiter.ts';
import type { Logger } from '../../lib/logger.ts';
import { addGauge } from '../../lib/telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** Of a limit, what each process may pass without asking; and hold without using it. */
const freePart = 1 / 100;
/** How long PostgreSQL is left alone after it did not answer. */
const tryAgainAfterMs = 1_000;
const keyBytes = 32;

interface AppContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly worker?: { readonly limiterOf: LimiterOf };
}

interface LimitingParts {
  readonly catalog: Pick<Catalog, 'limitWindows'>;
  readonly secret: string;
  readonly metrics: Registry;
}

export function limiterFor(around: AppContext, parts: LimitingParts): LimiterOf {
  const { catalog, metrics, secret } = parts;
  const { limitWindows } = catalog;
  const shared = limitWindows && countTogether(around, hiding(limitWindows, secret));
  addGauge(
    metrics,
    'playmeter_limits_alone',
    '1 while PostgreSQL does not count limits, and each process counts for itself',
    () => (shared?.isAlone() ? 1 : 0),
  );
  return shared?.limiterOf ?? around.worker?.limiterOf ?? createProcessLimiters(around.clock);
}

type Take = (wanted: WantedPoints) => Promise<TakenPoints>;

/** Neither the database nor its files show addresses: what is stored is a keyed hash. */
function hiding(limitWindows: LimitWindows, secret: string): Take {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'limits', keyBytes));
  return ({ limit, subject, ...wanted }) => {
    const hash = createHmac('sha256', key).update(`${limit} ${subject}`).digest('base64url');
    return limitWindows.take({ ...wanted, subject: hash });
  };
}

/** Thrown, and caught here, when there is no answer. */
const noAnswer = new Error('The limits of all nodes are not known');

/** While there is no answer, each process counts for itself, and nobody waits for one. */
function countTogether({ clock, logger }: AppContext, take: Take) {
  let isAlone = false;
  let isTrying = false;
  let tryAtMs = 0;

  const attempt: Take = async (wanted) => {
    try {
      const taken = await take(wanted);
      if (isAlone) logger.info('limits hold over all nodes again');
      isAlone = false;
      return taken;
    } catch (error) {
      tryAtMs = clock.monotonic() + tryAgainAfterMs;
      if (!isAlone) logger.warn({ err: error }, 'PostgreSQL counts no limits, each process does');
      isAlone = true;
      throw noAnswer;
    }
  };

  const tryBeside = (wanted: WantedPoints): void => {
    if (isTrying || clock.monotonic() < tryAtMs) return;
    isTrying = true;
    const end = () => {
      isTrying = false;
    };
    void attempt(wanted).then(end, end);
  };

  const takeOrNone: Take = async (wanted) => {
    if (!isAlone) return attempt(wanted);
    tryBeside(wanted);
    throw noAnswer;
  };

  const alone = createProcessLimiters(clock);
  const limiterOf: LimiterOf = (name, points, accuracy) => {
    const share = accuracy === 'exact' ? 0 : Math.floor(points * freePart);
    const options = { name, points, share, pool: points, clock, take: takeOrNone };
    return orAlone(createSharedLimiter(options), alone(name, points, accuracy));
  };
  return {
    limiterOf,
    isAlone() {
      // Where nobody asks for points, whoever wants to know does.
      if (isAlone) tryBeside({ limit: 'any', pool: 1, subject: '', points: 1 });
      return isAlone;
    },
  };
}

function orAlone(shared: Limiter, alone: Limiter): Limiter {
  const first = async <State>(ask: (limiter: Limiter) => State | Promise<State>) => {
    try {
      return await ask(shared);
    } catch (error) {
      if (error !== noAnswer) throw error;
      return ask(alone);
    }
  };
  return {
    points: shared.points,
    consume: (subject) => first((limiter) => limiter.consume(subject)),
    look: (subject) => first((limiter) => limiter.look(subject)),
    note: (subject) => first((limiter) => limiter.note(subject)),
  };
}
