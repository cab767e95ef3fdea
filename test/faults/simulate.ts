/**
 * The long form: npm run simulate -- [--cluster] [--kills 100] [--viewers 300] [--seed N]. Each scene
 * until its part of the kills is done; exit code 1 where anything is not as the oracle says. A busy
 * machine needs fewer viewers at first.
 */
import { parseArgs } from 'node:util';
import { readSeed } from '../support/seed.ts';
import { scenesOfCluster, scenesOfService } from './scenes.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    cluster: { type: 'boolean', default: false },
    kills: { type: 'string', default: '100' },
    viewers: { type: 'string', default: '300' },
    seed: { type: 'string' },
  },
});
const [kills, viewers] = (['kills', 'viewers'] as const).map((name) => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} has to be a number from 1 on`);
}) as [number, number];
const seed = readSeed(values.seed);
console.log(`Seed ${seed}`);

let isRight = true;
for (const scene of values.cluster ? scenesOfCluster : scenesOfService) {
  console.log(`\n${scene.name}`);
  const startedAt = performance.now();
  const outcome = await simulate(scene, {
    seed,
    faults: scene.long,
    kills: kills * scene.share,
    viewersAtFirst: viewers,
    viewersPerFault: Math.ceil(viewers / 8),
    questions: 300,
    audienceQuestions: 60,
    say: console.log,
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { traffic, questions, meanwhile, wrong } = outcome;
  console.log(JSON.stringify(traffic));
  console.log(
    `${outcome.kills} kills, ${outcome.viewers} viewers, ${questions} questions at the end, ` +
      `${meanwhile.answered} answered and ${meanwhile.unanswered} refused meanwhile, ${seconds} s`,
  );
  for (const line of wrong) console.log(`WRONG ${line}`);
  if (wrong.length > 0) isRight = false;
}
console.log(isRight ? "\nEvery answer is the oracle's" : `\nNot as it should be: --seed ${seed}`);
process.exit(isRight ? 0 : 1);
