/** Who asks a question: an account by its key or session, or whoever has the link of a share. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Share, Shares } from '../../catalog/catalog.ts';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Moment } from '../../query/run/moment.ts';
import { type Parameters, pinned } from '../../query/shares/pin.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { toReadStatistics } from '../../vocabulary/member-roles.ts';
import { shareHeader } from '../../wire/management/shares.ts';
import type { Authenticate } from '../authentication/authentication.ts';
import type { HoldUnsent } from '../limits/byte-limits.ts';
import type { ConcurrencyLimit } from '../limits/concurrency-limits.ts';
import { limitWrongKeys, type RateLimit } from '../limits/rate-limits.ts';
import type { SenderAddress } from '../server/sender-address.ts';

export interface Reader {
  readonly accountId: number;
  readonly timeZone: string;
  /** Undefined: an account. */
  readonly share: Share | undefined;
  /** Of a narrowed member, or of a share of theirs: to which all is pinned. */
  readonly packageIds: readonly number[] | undefined;
  /** The parameters that are answered for those that were sent. */
  pin(asked: Parameters): Parameters;
  /**
   * Answers a question within the limits of concurrency and unsent answers. Readers of a share who
   * ask the same within a moment get one answer.
   */
  answer<Answer extends Moment>(
    ask: () => Promise<Answer>,
    rowsOf: (answer: Answer) => number,
  ): Promise<Answer>;
  /** The path under which its answers are continued, by those alone who may see as much. */
  continuedAt(path: string): string;
  /** See HoldUnsent: call it with the rows of each other answer that may be large. */
  holdUnsent(rows: number): void;
}

/** Whom a path answers: `overview` and `video` are the shares whose view asks there. */
export type Audience = readonly ('overview' | 'video')[];

/**
 * Throws if there is neither a key, a session nor a share, if it may not ask there, and beyond its
 * limits. Where a share is named, no more is answered than it shows, whoever else sends it.
 */
export type AdmitReader = (
  request: FastifyRequest,
  reply: FastifyReply,
  audience: Audience,
) => Promise<Reader>;

export interface ReaderParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly shares: Pick<Shares, 'find'>;
  readonly authenticate: Authenticate;
  readonly addressOf: SenderAddress;
  readonly wrongKeysPerMinute: number;
  readonly limiterOf: LimiterOf;
  readonly rateLimit: RateLimit;
  readonly limitQuestions: ConcurrencyLimit;
  /** Of an account's shares: their readers do not keep its owner waiting. */
  readonly limitShareQuestions: ConcurrencyLimit;
  readonly holdUnsent: HoldUnsent;
}

const noLonger = 'This link is no longer valid, or was never';

export function createAdmitReader(parts: ReaderParts): AdmitReader {
  const { clock, rateLimit } = parts;
  const findShare = createFindShare(parts);
  const answerTogether = createSharedAnswers(clock);
  return async (request, reply, audience) => {
    const token = request.headers[shareHeader];
    if (token === undefined) {
      const caller = await parts.authenticate(request, reply, toReadStatistics);
      await rateLimit(caller, reply);
      return createReader(caller, reply);
    }
    reply.header('cache-control', 'no-store');
    const share = await findShare(String(token), request, reply);
    const { accountId, timeZone, shareId, accessKey, packageIds } = share;
    const caller = { accountId, shareId };
    await rateLimit({ ...caller, address: parts.addressOf(request.raw) }, reply);
    if (!audience.includes(accessKey === undefined ? 'overview' : 'video')) {
      throw new Fault('FORBIDDEN', 'This shared link does not include that data');
    }
    const pin = (asked: Parameters) => pinned(asked, share, clock.now());
    const holdUnsent = (rows: number) => parts.holdUnsent(caller, rows, reply.raw);
    return {
      ...{ accountId, timeZone, share, packageIds, pin, holdUnsent },
      continuedAt: (path) => `${path}#${shareId}`,
      async answer(ask, rowsOf) {
        // Whatever decides what is answered.
        const question = JSON.stringify([
          ...[shareId, request.routeOptions.url, request.headers.accept],
          pin(request.query as Parameters),
        ]);
        const limited = (begin: () => void) =>
          parts.limitShareQuestions(caller, () => {
            begin();
            return ask();
          });
        const answer = await answerTogether(question, limited, rowsOf);
        holdUnsent(rowsOf(answer));
        return answer;
      },
    };
  };

  function createReader(caller: Caller, reply: FastifyReply): Reader {
    const { accountId, timeZone } = caller;
    const packageIds = packagesSeenBy(caller);
    const holdUnsent = (rows: number) => parts.holdUnsent(caller, rows, reply.raw);
    return {
      ...{ accountId, timeZone, share: undefined, packageIds, holdUnsent },
      continuedAt: (path) => pathWithin(path, packageIds),
      pin: (asked) => asked,
      async answer(ask, rowsOf) {
        const answer = await parts.limitQuestions(caller, ask);
        holdUnsent(rowsOf(answer));
        return answer;
      },
    };
  }
}

/** To which all that a caller reads is pinned; undefined: nothing. */
export function packagesSeenBy(caller: Caller): readonly number[] | undefined {
  return 'personId' in caller ? caller.packageIds : undefined;
}

/** The path of answers that are pinned to packages: others may show more. */
export function pathWithin(path: string, packageIds: readonly number[] | undefined): string {
  return packageIds === undefined ? path : `${path}#packages ${packageIds.join(',')}`;
}

/** Faults with UNAUTHENTICATED, and after too many wrong ones from an address. */
export function createFindShare(
  parts: Pick<ReaderParts, 'shares' | 'addressOf' | 'wrongKeysPerMinute' | 'limiterOf'>,
): (token: string, request: FastifyRequest, reply: FastifyReply) => Promise<Share> {
  const wrongTokens = limitWrongKeys(parts.wrongKeysPerMinute, parts.limiterOf, 'wrong share');
  return async (token, request, reply) => {
    const attempt = { secret: token, address: parts.addressOf(request.raw) };
    const share = await wrongTokens(attempt, reply.raw, () => parts.shares.find(token));
    if (share === undefined) throw new Fault('UNAUTHENTICATED', noLonger);
    return share;
  };
}

const freshMs = 2_000;
/** What is in an answer that has begun is known when it is there; until then this is safe to say. */
const begunLatelyMs = 1_000;
const mostAnswers = 100;
const mostRowsKept = 1_000;

interface Shared {
  /** By type that of whoever asks: the question says which. */
  readonly answer: Promise<unknown>;
  isFor(askedAtMs: number): boolean;
}

/**
 * `question` names all that decides the answer, the share among it. `ask` calls `begin` when it no
 * longer waits: until then it may be for everybody who asks.
 */
export type AnswerTogether = <Answer extends Moment>(
  question: string,
  ask: (begin: () => void) => Promise<Answer>,
  rowsOf: (answer: Answer) => number,
) => Promise<Answer>;

/**
 * Readers of a share who ask the same question within a moment get one answer. Each is as fresh as
 * one of its own would be by what is promised: whatever was acknowledged two seconds before a
 * reader asked is in it.
 */
export function createSharedAnswers(clock: Pick<Clock, 'now'>): AnswerTogether {
  const answers = createLruCache<string, Shared>(mostAnswers);
  return <Answer extends Moment>(
    question: string,
    ask: (begin: () => void) => Promise<Answer>,
    rowsOf: (answer: Answer) => number,
  ): Promise<Answer> => {
    const known = answers.get(question);
    if (known?.isFor(clock.now())) return known.answer as Promise<Answer>;
    let untilMs = Number.POSITIVE_INFINITY;
    const answer = ask(() => {
      untilMs = clock.now() + begunLatelyMs;
    });
    const shared: Shared = { answer, isFor: (askedAtMs) => askedAtMs <= untilMs };
    const forget = (): void => {
      if (answers.peek(question) === shared) answers.delete(question);
    };
    answers.set(question, shared);
    answer.then((given) => {
      untilMs = given.completeThrough.getTime() + freshMs;
      if (rowsOf(given) > mostRowsKept) forget();
    }, forget);
    return answer;
  };
}
