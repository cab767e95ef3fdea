/**
 * The short form of the simulation; `npm run simulate` is the long one. What fails names its seed:
 * SIMULATION_SEED=N runs the same again.
 */
import { expect, test } from 'vitest';
import { scenes } from './scenes.ts';
import { readSeed } from './seed.ts';
import { simulate } from './simulation.ts';

const seed = readSeed(process.env.SIMULATION_SEED);

// Each waits most of its time: for starts, and for senders that wait.
test.concurrent.each(scenes)(
  '$name: every answer is the one of the oracle',
  async ({ name, short }) => {
    const lines = [`${name}, SIMULATION_SEED=${seed}`];
    try {
      const outcome = await simulate({
        seed,
        faults: short,
        kills: 1,
        viewersAtFirst: 200,
        viewersPerFault: 25,
        questions: 40,
        audienceQuestions: 6,
        say: (line) => lines.push(line),
      });
      expect(outcome.wrong).toEqual([]);
    } catch (error) {
      console.error(lines.join('\n'));
      throw error;
    }
  },
  300_000,
);
