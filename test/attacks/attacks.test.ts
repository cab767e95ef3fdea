/** The short form of every attack; `npm run attack` is the long one, with figures. */
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

test.for(attacks)('$name', async (attack) => {
  const { measured, wrong } = await strikeBesidePlayer(attack, stage);
  expect(wrong, `${measured}. ${howToRepeat(seed)}`).toEqual([]);
});
