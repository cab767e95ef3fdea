import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'tracker/**/*.test.ts',
      'client/**/*.test.ts',
      'dashboard/**/*.test.ts',
    ],
    globalSetup: ['test/support/built-pages.ts', 'test/support/shared-engine.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Waiting for what is to come costs nothing where it comes at once.
    expect: { poll: { timeout: 20_000 } },
    // Only a test that hangs reaches it, however busy the machine is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default'],
  },
});
