/**
 * How many random questions of a kind a property test asks, and of which seed: `QUESTIONS=5000
 * SEED=7 npm test -- any-audience` asks more, or the same again, and `npm run test:all` asks 80.
 */
import { vi } from 'vitest';
import { readSeed } from '../support/seed.ts';

const usualQuestions = 12;
const longestMsOfQuestion = 5_000;
const leastMs = 300_000;

export function questionCount(): number {
  const count = Number(process.env.QUESTIONS || usualQuestions);
  if (!Number.isInteger(count) || count < 1) throw new Error('QUESTIONS has to be 1 or more');
  return count;
}

/** Tests of this file may take as long as so many questions need on a busy machine. */
export function giveQuestionsTime(): void {
  vi.setConfig({ testTimeout: Math.max(leastMs, longestMsOfQuestion * questionCount()) });
}

export function questionSeed(): number {
  const seed = readSeed(process.env.SEED);
  console.info(`QUESTIONS=${questionCount()} SEED=${seed}`);
  return seed;
}
