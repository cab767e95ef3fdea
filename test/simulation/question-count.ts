/**
 * How many random questions of a kind a property test asks, and of which seed: `QUESTIONS=5000
 * QUESTIONS_SEED=7 npm test -- any-audience` asks more, or the same again.
 */
import { readSeed } from '../faults/seed.ts';

const usualQuestions = 150;

export function questionCount(): number {
  const count = Number(process.env.QUESTIONS || usualQuestions);
  if (!Number.isInteger(count) || count < 1) throw new Error('QUESTIONS has to be 1 or more');
  return count;
}

export function questionSeed(): number {
  const seed = readSeed(process.env.QUESTIONS_SEED);
  console.info(`QUESTIONS=${questionCount()} QUESTIONS_SEED=${seed}`);
  return seed;
}
