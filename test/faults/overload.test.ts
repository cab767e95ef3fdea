/** The short form of the overload; `npm run overload` is the long one. */
import { expect, test } from 'vitest';
import { overload, wrongIn } from './overload.ts';

test('far more than can be taken: answered or sent away, and what was acknowledged is counted', async () => {
  const lines: string[] = [];
  const outcome = await overload({
    seconds: 6,
    connections: 1_500,
    say: (line) => lines.push(line),
  });
  expect(wrongIn(outcome), lines.join('\n')).toEqual([]);
  // Else it was no overload.
  expect(outcome.flood.failed[503]).toBeGreaterThan(0);
});
