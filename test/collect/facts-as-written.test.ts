/** The engine keeps every fact as it was written, whatever characters are in it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fact } from '../../src/facts/facts.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const odd = [
  '',
  ' ',
  '\\',
  '\\N',
  '\t',
  '\n',
  '\r\n',
  '\\t',
  '"',
  "'",
  '\0',
  '₂ 한국어 🎬',
  'a'.repeat(500),
];

test('text, numbers and instants', async () => {
  const facts: Fact[] = odd.map((text, index) => ({
    accountId: 4_294_967_295,
    // The first slot that can be, and the last one of a DateTime in this century's first half.
    slotStart: index === 0 ? 86_400_000 : Date.UTC(2049, 11, 31, 23, 45),
    packageId: index,
    videoId: 4_294_967_295,
    os: text,
    osVersion: text,
    view: randomUUID(),
    stretch: 4_294_967_295,
    suspect: text,
    plays: 1,
    playMs: 86_400_000,
  }));
  await service.facts.stretches.write(facts);
  const kept = await service.facts.read<Fact>({
    name: 'test',
    sql: `SELECT accountId, toUnixTimestamp(slot) * 1000 AS slotStart, packageId, videoId,
        toString(os) AS os, toString(osVersion) AS osVersion, toString(view) AS view, stretch,
        suspect, plays, playMs
      FROM stretch ORDER BY packageId`,
    parameters: {},
  });
  expect(kept).toEqual(facts);
});
