/** The short form of every attack; `npm run attack` is the long one, with figures. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { attacks } from './attacks.ts';
import { setStage } from './set-stage.ts';

const seed = Date.now() % 2 ** 31;
const stage = setStage({ isLong: false, seed });
afterEach(() => stage.clear());
afterAll(() => stage.close());

test.for(attacks)('$name', async (attack) => {
  const { measured, wrong } = await attack.strike(stage);
  expect(wrong, measured).toEqual([]);
});
