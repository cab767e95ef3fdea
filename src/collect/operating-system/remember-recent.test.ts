import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rememberRecent } from './remember-recent.ts';

describe('rememberRecent', () => {
  it('works once for a key that it remembers', () => {
    const memory = rememberRecent<string>(2);
    let works = 0;
    const work = () => `answer ${++works}`;
    expect([memory.recall('a', work), memory.recall('a', work)]).toEqual(['answer 1', 'answer 1']);
  });

  it('forgets the key longest unasked', () => {
    const memory = rememberRecent<string>(2);
    memory.recall('a', () => 'first');
    memory.recall('b', () => 'first');
    memory.recall('a', () => 'again');
    memory.recall('c', () => 'first');
    expect(memory.recall('a', () => 'again')).toBe('first');
    expect(memory.recall('b', () => 'again')).toBe('again');
  });

  it('never holds more than its limit, and answers as the function itself would', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 8 }), (keys, limit) => {
        const memory = rememberRecent<number>(limit);
        for (const key of keys) {
          expect(memory.recall(String(key), () => key * 2)).toBe(key * 2);
          expect(memory.size).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});
