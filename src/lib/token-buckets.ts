/** Token buckets by name, in bounded memory: the one not used for longest is forgotten, so full. */
import { LRUCache } from 'lru-cache';

/** Times are of a clock that never jumps. The caller reads it: once for several buckets. */
export interface TokenBuckets {
  /** Whole tokens in this bucket. */
  room(name: string, nowMs: number): number;
  /** Not more than there is room for. */
  take(name: string, tokens: number, nowMs: number): void;
}

interface TokenBucketOptions {
  /** How fast a bucket fills. */
  readonly tokensPerMs: number;
  /** How long an empty one takes to fill: it holds no more than comes in this time. */
  readonly fillMs: number;
  readonly mostBuckets: number;
}

interface Bucket {
  /** When it will be full again. */
  fullAtMs: number;
}

/** Far less than a token; products of fractions such as 1/3 may end just below a whole number. */
const roundingTokens = 1e-6;

export function createTokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const { tokensPerMs, fillMs, mostBuckets } = options;
  // Made at its first use, since its room is taken at once: a start makes a dozen of them.
  let buckets: LRUCache<string, Bucket> | undefined;
  /** The bucket used last: the same one is asked again and again. */
  let last: { readonly name: string; readonly bucket: Bucket } | undefined;
  const find = (name: string): Bucket | undefined => {
    if (last?.name === name) return last.bucket;
    const bucket = buckets?.get(name);
    if (bucket !== undefined) last = { name, bucket };
    return bucket;
  };
  const missingMs = (bucket: Bucket | undefined, nowMs: number): number =>
    bucket === undefined ? 0 : Math.max(0, bucket.fullAtMs - nowMs);
  return {
    room(name, nowMs) {
      const tokens = (fillMs - missingMs(find(name), nowMs)) * tokensPerMs;
      return Math.max(0, Math.floor(tokens + roundingTokens));
    },
    take(name, tokens, nowMs) {
      const found = find(name);
      const fullAtMs = nowMs + missingMs(found, nowMs) + tokens / tokensPerMs;
      if (found !== undefined) {
        found.fullAtMs = fullAtMs;
        return;
      }
      const bucket = { fullAtMs };
      buckets ??= new LRUCache({ max: mostBuckets });
      buckets.set(name, bucket);
      last = { name, bucket };
    },
  };
}
