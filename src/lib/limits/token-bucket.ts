/** Token buckets. Times are of a clock that never jumps; the caller reads it, once for several. */

export interface TokenBucket {
  /** When it will be full again; in the past: it is full. */
  fullAtMs: number;
}

/** How buckets of one kind fill. */
export interface BucketPace {
  /** Whole tokens in this bucket. */
  room(bucket: TokenBucket, nowMs: number): number;
  /** What is taken beyond its room is a debt, which is filled first. */
  take(bucket: TokenBucket, tokens: number, nowMs: number): void;
}

interface BucketPaceOptions {
  readonly tokensPerMs: number;
  /** How long an empty one takes to fill: it holds no more than comes in this time. */
  readonly fillMs: number;
}

/** Far less than a token; products of fractions such as 1/3 may end just below a whole number. */
const roundingTokens = 1e-6;

export function createBucketPace({ tokensPerMs, fillMs }: BucketPaceOptions): BucketPace {
  return {
    room({ fullAtMs }, nowMs) {
      const tokens = (fillMs - Math.max(0, fullAtMs - nowMs)) * tokensPerMs;
      return Math.max(0, Math.floor(tokens + roundingTokens));
    },
    take(bucket, tokens, nowMs) {
      bucket.fullAtMs = Math.max(nowMs, bucket.fullAtMs) + tokens / tokensPerMs;
    },
  };
}

/** How long until a bucket from which more was taken than it had is out of debt. */
export function debtMs({ fullAtMs }: TokenBucket, fillMs: number, nowMs: number): number {
  return Math.max(0, fullAtMs - nowMs - fillMs);
}

export function fullBucket(): TokenBucket {
  return { fullAtMs: 0 };
}
