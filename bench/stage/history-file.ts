/** A file of beacons as `beacons import` reads it: views of equal distance up to now. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BenchAccount } from './bench-service.ts';

export async function writeHistory(
  file: string,
  account: BenchAccount,
  { beacons, days }: { readonly beacons: number; readonly days: number },
): Promise<void> {
  const nowMs = Date.now();
  function* lines(): Generator<string> {
    for (let index = 0; index < beacons; index += 1) {
      const agoMs = ((index + 1) / beacons) * days * 86_400_000;
      const beacon = {
        view: randomUUID(),
        stretch: 0,
        at: new Date(nowMs - agoMs - 600_000).toISOString(),
        playMs: 1_000 + (index % 599_000),
        videoKey: account.videoKeys[index % account.videoKeys.length],
        userAgent: `Mozilla/5.0 (Linux; Android ${10 + (index % 6)}; Pixel ${index % 9})`,
      };
      yield `${JSON.stringify(beacon)}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}
