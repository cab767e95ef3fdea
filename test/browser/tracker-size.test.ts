import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildTracker, trackerLimitGzipBytes } from '../../tracker/build.ts';

test.each(['script', 'module'] as const)(
  'the tracker as a %s keeps to its budget',
  async (form) => {
    const built = await buildTracker();
    expect(gzipSync(built[form]).length).toBeLessThanOrEqual(trackerLimitGzipBytes);
  },
);
