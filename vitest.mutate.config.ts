import { defineConfig } from 'vitest/config';
import whole from './vitest.config.ts';

/** For the tests of the area that `npm run mutate` is at, once for each fault. */
export default defineConfig({
  test: {
    ...whole.test,
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
