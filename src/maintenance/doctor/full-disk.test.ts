import { expect, test } from 'vitest';
import { lookAtDisk } from './machine.ts';

const reserved = { bytes: 4_096 * 50, inodes: 50 };

test.each([
  [{ bavail: 50, ffree: 50 }, []],
  [{ bavail: 49, ffree: 50 }, ['The disk of /data is full: beacons are refused']],
  [{ bavail: 50, ffree: 49 }, ['The disk of /data is full: beacons are refused']],
  // Inodes as they are needed.
  [{ bavail: 50, files: 0, ffree: 0 }, []],
])('where beacons are refused for %j, that is an error', (left, errors) => {
  const room = { bsize: 4_096, blocks: 1_000, files: 1_000, ...left } as never;
  const tenth = (size: number) => size / 10;
  const disk = { folder: '/data', room, scarceBytes: tenth, scarceInodes: tenth };
  const errorsOf = (some: typeof reserved | undefined) =>
    lookAtDisk({ ...disk, reserved: some })
      .filter(({ level }) => level === 'error')
      .map(({ what }) => what);
  expect(errorsOf(reserved)).toEqual(errors);
  expect(errorsOf(undefined)).toEqual([]);
});
