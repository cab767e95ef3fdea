/**
 * The short form of the simulation; `npm run simulate` is the long one. What fails names its seed,
 * with which it plays the same again.
 */
import { expect, test } from 'vitest';
import { howToRepeat } from '../support/how-to-repeat.ts';
import { readSeed } from '../support/seed.ts';
import { type Scene, scenesOfCluster, scenesOfService } from './scenes.ts';
import { simulate } from './simulation.ts';

const seed = readSeed(process.env.SEED);

/** Only against hanging: a busy machine of half the speed took ten minutes for a cluster. */
const withinMs = 1_800_000;

for (const scene of [...scenesOfService, ...scenesOfCluster]) {
  const name = `${scene.name}: every answer is the one of the oracle`;
  const tags: 'long'[] = scenesOfCluster.includes(scene) ? ['long'] : [];
  test(name, { tags, timeout: withinMs }, () => runShort(scene));
}

async function runShort(scene: Scene): Promise<void> {
  const lines = [scene.name, howToRepeat(seed)];
  try {
    const outcome = await simulate(scene, {
      seed,
      faults: scene.short,
      kills: 1,
      viewersAtFirst: 100,
      viewersPerFault: 15,
      questions: 30,
      audienceQuestions: 6,
      say: (line) => lines.push(line),
    });
    expect(outcome.wrong).toEqual([]);
  } catch (error) {
    console.error(lines.join('\n'));
    throw error;
  }
}
