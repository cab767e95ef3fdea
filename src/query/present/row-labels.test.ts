import { expect, test } from 'vitest';
import type { AudienceDimensionName } from '../../vocabulary/dimensions.ts';
import { compareLabels, type Label } from '../labels/label.ts';
import { noCounts } from '../plan/counts.ts';
import { localSpans } from '../ranges/local-days.ts';
import { labelRows } from './row-labels.ts';

const [firstDay, lastDay] = ['2026-05-06', '2026-05-09'];
const calendar = { firstDay, spans: localSpans(firstDay, lastDay, 'UTC') };

/** The first asks for what is known of these. */
async function labelled(dimensions: readonly AudienceDimensionName[], keys: readonly string[][]) {
  const asked: unknown[] = [];
  const namesOf = (kind: string) => async (accountId: number, ids: readonly number[]) => {
    asked.push([kind, accountId, ...ids]);
    return ids.filter((id) => id < 9).map((id) => ({ id, name: `${kind} ${id}` }));
  };
  const catalog = {
    names: { packages: namesOf('package'), folders: namesOf('folder') },
    videos: {
      known: async (accountId: number, ids: readonly number[]) => {
        asked.push(['video', accountId, ...ids]);
        const known = { folderId: 1, durationMs: 0 };
        return ids
          .filter((videoId) => videoId < 9)
          .map((videoId) => ({ ...known, videoId, accessKey: `key${videoId}`, title: 'Film' }));
      },
    },
  };
  const rows = keys.map((own) => ({ keys: own, counts: noCounts }));
  const shown = await labelRows(rows, {
    accountId: 7,
    dimensions,
    labels: new Map(),
    calendar,
    catalog,
  });
  return { labels: shown.map(({ labels }) => labels), asked };
}

const plain = (value: string): Label => ({ value, order: value, place: value });

test('each dimension has the label of its keys', async () => {
  const hour = String(Date.UTC(2026, 4, 6, 13) / 1_000);
  const { labels } = await labelled(
    ['viewerKind', 'hour', 'os'],
    [
      ['0', hour, '0', 'iOS'],
      ['1', hour, '-12600', ''],
      ['2', hour, '0', 'iOS'],
      ['3', hour, '0', 'iOS'],
    ],
  );
  expect(labels.map((row) => row.map(({ value }) => value))).toEqual([
    ['none', '2026-05-06T13:00:00+00:00', 'iOS'],
    ['daily', '2026-05-06T13:00:00-03:30', ''],
    ['named', '2026-05-06T13:00:00+00:00', 'iOS'],
    ['none', '2026-05-06T13:00:00+00:00', 'iOS'],
  ]);
  expect(labels[0]?.[2]).toEqual(plain('iOS'));
});

test('videos, packages and folders have names, each asked for once', async () => {
  const { labels, asked } = await labelled(
    ['os', 'video', 'package'],
    [
      ['iOS', '3', '4'],
      ['iOS', '3', '9'],
      ['iOS', '9', '4'],
    ],
  );
  const video = (value: string, caption: string) => ({ ...plain(value), caption });
  const number = (value: number, caption: string) => {
    return { value, order: value, place: value, caption };
  };
  expect(labels).toEqual([
    [plain('iOS'), video('key3', 'Film'), number(4, 'package 4')],
    [plain('iOS'), video('key3', 'Film'), number(9, '')],
    [plain('iOS'), video('Unknown', ''), number(4, 'package 4')],
  ]);
  expect(asked).toEqual([
    ['video', 7, 3, 9],
    ['package', 7, 4, 9],
  ]);
  expect((await labelled(['folder'], [['2']])).labels).toEqual([[number(2, 'folder 2')]]);
});

test('labels are in the order of code points, as in the store', async () => {
  const [film, wide] = ['\u{1f3ac}', '\u{ffe6}'];
  for (const dimension of ['host', 'osVersion'] as const) {
    const { labels } = await labelled([dimension], [[film], [wide]]);
    const [ofFilm, ofWide] = labels.flat();
    expect(ofFilm && ofWide && compareLabels(ofFilm, ofWide)).toBe(1);
    expect(labels.flat().map(({ value, place }) => [value, place])).toEqual([
      [film, film],
      [wide, wide],
    ]);
  }
});

test('versions are in the order of their parts, all else in that of its text', async () => {
  const ordered = async (dimension: AudienceDimensionName) => {
    const { labels } = await labelled([dimension], [['9'], ['10.15'], ['10']]);
    return labels
      .flat()
      .toSorted(compareLabels)
      .map(({ value }) => value);
  };
  expect(await ordered('osVersion')).toEqual(['9', '10', '10.15']);
  expect(await ordered('browserVersion')).toEqual(['9', '10', '10.15']);
  expect(await ordered('os')).toEqual(['10', '10.15', '9']);
});

test.each<[Label, Label, number]>([
  [plain('a'), plain('b'), -1],
  [plain('b'), plain('a'), 1],
  [{ ...plain('x'), order: 10 }, { ...plain('x'), order: 9 }, 1],
  [{ ...plain('b'), order: 9 }, { ...plain('a'), order: 9 }, 1],
  [{ ...plain('a'), order: 9 }, { ...plain('b'), order: 9 }, -1],
  [plain('a'), plain('a'), 0],
])('%j against %j', (one, other, order) => {
  expect(compareLabels(one, other)).toBe(order);
});
