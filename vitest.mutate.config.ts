import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import whole from './vitest.config.ts';

/** What a quick file has noticed no slow one has to. */
class LongLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

/** For the tests of the area that `npm run mutate` is at, once for each fault. */
export default defineConfig({
  test: {
    ...whole.test,
    sequence: { sequencer: LongLast },
    runner: 'scripts/mutation/fault-runner.ts',
    // Its key does not have what puts the faults into the code, and the other tests share it.
    fsModuleCache: false,
    // A process for each test file.
    isolate: true,
    expect: { poll: { timeout: 10_000 } },
    // A fault may do anything, and its test has failed by then.
    dangerouslyIgnoreUnhandledErrors: true,
    silent: true,
    reporters: ['dot'],
  },
});
