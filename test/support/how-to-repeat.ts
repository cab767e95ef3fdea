import { join, relative } from 'node:path';
import { expect } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** For messages of the test that is running: the command that draws the same again. */
export function howToRepeat(seed: number): string {
  const file = relative(root, expect.getState().testPath ?? root);
  return `To run it again: SEED=${seed} npm test -- ${file}`;
}
