import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';

/** Not above: importing it is what the first test must find done. */
const seedProperties = async (text: string | undefined) =>
  (await import('./seed-properties.ts')).seedProperties(text);

afterEach(() => seedProperties(process.env.SEED));

/** The message of a property that fails at its twentieth case, and all that was drawn for it. */
async function fail() {
  const drawn: number[] = [];
  const property = fc.asyncProperty(fc.integer(), async (number) => {
    drawn.push(number);
    expect(drawn.length).toBeLessThan(20);
  });
  const failing = fc.assert(property, { endOnFailure: true });
  const message = await failing.then(String, (error: Error) => error.message);
  return { drawn, message };
}

test('a property that fails says how to run it again, which draws the same', async () => {
  const first = await fail();
  const file = 'test/support/seed-properties.test.ts';
  const hint = new RegExp(`To run it again: SEED=(-?\\d+) npm test -- ${file}$`);
  expect(first.message).toMatch(hint);
  expect(first.message).toContain('Counterexample');
  await seedProperties(hint.exec(first.message)?.[1]);
  expect((await fail()).drawn).toEqual(first.drawn);
  expect(fc.sample(fc.integer(), 5)).toEqual(first.drawn.slice(0, 5));
});

test('without a seed each run draws others', async () => {
  await seedProperties('');
  expect((await fail()).drawn).not.toEqual((await fail()).drawn);
});

test.each(['x', '1.5', '2147483648', '-2147483649'])('%s is no seed', async (text) => {
  await expect(seedProperties(text)).rejects.toThrow('The seed has to be a whole number');
});
