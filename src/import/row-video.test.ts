import { expect, test } from 'vitest';
import { videoOfRow } from './row-video.ts';

const account = { accountId: 1, timeZone: 'UTC' };

test('a member given under two spellings is refused by its name', () => {
  const { reasons } = videoOfRow(account, { cid: 'a', title: 'T', vHeight: 1, v_height: 2 });
  expect(reasons).toEqual(['vHeight is given twice']);
});

test('a member that is null is absent, under whatever spelling', () => {
  const { fields, reasons } = videoOfRow(account, { cid: 'a', vHeight: 1, v_height: null });
  expect(reasons).toEqual([]);
  expect(fields).toMatchObject({ vHeight: 1 });
});
