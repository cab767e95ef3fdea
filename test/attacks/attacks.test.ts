/**
 * The short form of every attack, of which `npm test` runs one that takes a second or two; `npm run
 * attack` is the long form, with figures.
 */
import { afterAll, afterEach, expect, test } from 'vitest';
import { howToRepeat } from '../support/how-to-repeat.ts';
import { readSeed } from '../support/seed.ts';
import { attacks } from './attacks.ts';
import { setStage } from './set-stage.ts';
import { strikeBesidePlayer } from './strike-beside-player.ts';

const seed = readSeed(process.env.SEED);
const stage = setStage({ isLong: false, seed });
afterEach(() => stage.clear());
afterAll(() => stage.close());

const quick = ['hostile-thumbnail'];

for (const attack of attacks) {
  const tags: 'long'[] = quick.includes(attack.name) ? [] : ['long'];
  test(attack.name, { tags }, async () => {
    const { measured, wrong } = await strikeBesidePlayer(attack, stage);
    expect(wrong, `${measured}. ${howToRepeat(seed)}`).toEqual([]);
  });
}

test('those that are run each time are attacks', () => {
  expect(attacks.map(({ name }) => name)).toEqual(expect.arrayContaining(quick));
});
