import { defineConfig } from 'vitest/config';

/** The tidy test alone: it needs no engine, so that `npm run check` takes seconds. */
export default defineConfig({ test: { include: ['test/tidy.test.ts'] } });
