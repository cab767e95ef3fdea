import { expect, test } from 'vitest';
import { collectImported } from './imported-lines.ts';

/** Each way accepts all but what says that it is bad, and says what it was given. */
function ways() {
  const taken: unknown[] = [];
  const take = (way: string) => async (lines: readonly unknown[], of: unknown) => {
    taken.push([way, lines, of]);
    const isBad = (line: unknown) => JSON.stringify(line)?.includes('bad') === true;
    const rejected = lines.flatMap((line, index) =>
      isBad(line) ? [{ index, code: 'INVALID_BEACON' as const, detail: way }] : [],
    );
    return { accepted: lines.length - rejected.length, rejected, erased: lines.length > 2 ? 3 : 1 };
  };
  const collectHistory = take('beacons');
  return { taken, collector: { collectHistory }, facts: { collect: take('facts') } };
}

test('beacons and facts go their own ways, and keep their places', async () => {
  const { taken, ...of } = ways();
  const lines = [{ slot: 1 }, { view: 'v' }, null, { slot: 'bad' }, 'slot', { view: 'bad' }];
  expect(await collectImported(of as never, lines, 7)).toEqual({
    accepted: 4,
    rejected: [
      { index: 5, code: 'INVALID_BEACON', detail: 'beacons' },
      { index: 3, code: 'INVALID_BEACON', detail: 'facts' },
    ],
    erased: 4,
  });
  expect(taken).toEqual([
    ['beacons', [{ view: 'v' }, null, 'slot', { view: 'bad' }], 7],
    ['facts', [{ slot: 1 }, { slot: 'bad' }], 7],
  ]);
});

test('a way that has no lines is not gone', async () => {
  const { taken, ...of } = ways();
  expect(await collectImported(of as never, [], 7)).toEqual({
    accepted: 0,
    rejected: [],
    erased: 0,
  });
  await collectImported(of as never, [{ slot: 1 }], 7);
  expect(taken).toEqual([['facts', [{ slot: 1 }], 7]]);
});
