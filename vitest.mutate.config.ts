import { defineConfig } from 'vitest/config';
import whole from './vitest.config.ts';

const tests = process.env.MUTATED_BY?.split('\n') ?? [];
const needsEngine = process.env.MUTATED_WITH_ENGINE === 'true';

/** The tests of the area that `npm run mutate` is at. Many faults let a test wait for ever. */
export default defineConfig({
  test: {
    ...whole.test,
    include: tests,
    // Without it Stryker sees the first file's tests only, and takes the rest for never tested.
    isolate: true,
    globalSetup: needsEngine ? ['test/support/shared-engine.ts'] : [],
    // Under the measuring of coverage, and beside other work, tests take several times as long.
    testTimeout: 20_000,
  },
});
