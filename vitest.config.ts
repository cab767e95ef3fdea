import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What lasts longest begins first, or it keeps one worker busy when the others have ended. */
const first = [
  /test\/faults\/(simulation|cluster|overload)\./,
  /test\/erasing\/erase\./,
  /test\/browser\/dashboard-(accessible|choosing)\./,
  /test\/report\/audience-days\./,
  /test\/simulation\//,
  /test\/upkeep\/(backup|export)\./,
  /test\/contract\/(suspects|facts)\./,
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = first.findIndex((path) => path.test(moduleId));
      return place < 0 ? first.length : place;
    };
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'tracker/**/*.test.ts',
      'client/**/*.test.ts',
      'dashboard/**/*.test.ts',
    ],
    globalSetup: ['test/support/start-shared-parts.ts'],
    setupFiles: ['test/support/seed-properties.ts'],
    // Left out by npm test unless a file is named; npm run test:all runs all.
    tags: [{ name: 'long', description: 'Repeats what others show' }],
    pool: 'forks',
    // With the usual room for young objects a tenth of the processor time goes into collecting them.
    execArgv: ['--max-semi-space-size=64'],
    // On two cores three leave a tenth of the time to nobody, while tests wait for what is to come.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    // No module holds state but what a worker starts once: it loads each of them once, and not for
    // every file.
    isolate: false,
    // Waiting for what is to come costs nothing where it comes at once.
    expect: { poll: { timeout: 60_000 } },
    // Only a test that hangs reaches it, however busy the machine is; all that waits gives up
    // before, and says what it waited for.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['default'],
  },
});
