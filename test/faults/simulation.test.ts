/**
 * Short forms of the simulation; `npm run simulate` is the long one. What fails names its seed, with
 * which it plays the same again.
 */
import { expect, test } from 'vitest';
import { howToRepeat } from '../support/how-to-repeat.ts';
import { readSeed } from '../support/seed.ts';
import { type Scene, scenesOfCluster, scenesOfService } from './scenes.ts';
import type { ServiceFaultName } from './service-faults.ts';
import { simulate } from './simulation.ts';

const seed = readSeed(process.env.SEED);

/** Only against hanging: a busy machine of half the speed took ten minutes for a cluster. */
const withinMs = 1_800_000;

type Size = Pick<
  Parameters<typeof simulate>[1],
  'faults' | 'viewersAtFirst' | 'viewersPerFault' | 'questions' | 'audienceQuestions'
>;

/** All that falls to `npm test`: the engine is killed, and the service with it. */
const quick: readonly ServiceFaultName[] = ['killBoth'];

test('killed: every answer is the one of the oracle', () => {
  const [killedAndFrozen = expect.fail('there is a scene')] = scenesOfService;
  return run(killedAndFrozen, {
    ...{ faults: quick, viewersAtFirst: 12, viewersPerFault: 4 },
    ...{ questions: 8, audienceQuestions: 2 },
  });
});

for (const scene of [...scenesOfService, ...scenesOfCluster]) {
  const name = `${scene.name}: every answer is the one of the oracle`;
  test(name, { tags: 'long', timeout: withinMs }, () =>
    run(scene, {
      ...{ faults: scene.short, viewersAtFirst: 100, viewersPerFault: 15 },
      ...{ questions: 30, audienceQuestions: 6 },
    }),
  );
}

async function run(scene: Scene, size: Size): Promise<void> {
  const lines = [scene.name, howToRepeat(seed)];
  try {
    const outcome = await simulate(scene, {
      ...{ ...size, seed, kills: 1 },
      say: (line) => lines.push(line),
    });
    expect(outcome.wrong).toEqual([]);
  } catch (error) {
    console.error(lines.join('\n'));
    throw error;
  }
}
