import { expect, test } from 'vitest';
import { auditActions } from '../../../src/vocabulary/audit-actions.ts';
import { createFormats } from '../formats.ts';
import { fillIn, type MessageName } from '../language.tsx';
import { en } from '../messages/en.ts';
import { nameNoted, textOfAction } from './audit-names.ts';
import { auditPlace } from './audit-places.ts';
import { writeValue } from './audit-value.ts';

const t = (name: MessageName, values = {}) => fillIn(en[name], values);

test('every action of the interface has a text', () => {
  const without = Object.keys(auditActions).filter((action) => textOfAction(action) === undefined);
  expect(without).toEqual([]);
  expect(textOfAction('SOMETHING_NEW')).toBeUndefined();
});

test.each([
  ['createdAtMs', 1_795_418_779_421, 'Nov 23, 2026, 4:26 PM'],
  ['expiresAt', '2026-11-23T15:26:19.421Z', 'Nov 24, 2026, 12:26 AM'],
  ['durationMs', 125_000, '2m 5s'],
  ['fileSizeBytes', 1_234_567, '1.2 MB'],
  ['scopes', ['stats:read', 'manage'], 'stats:read, manage'],
  ['origins', [], '–'],
  ['takesUnsealed', true, 'yes'],
  ['role', 'analyst', 'Analyst'],
  ['serviceAble', 'N', 'no'],
  ['cid', null, '–'],
  ['title', 'A walk', 'A walk'],
  ['lastDays', 28, '28'],
  ['terms', { above: 1 }, '{"above":1}'],
])('%s: %j is written as %s', (name, value, written) => {
  const writing = { t, formats: createFormats('en-US'), timeZone: 'Asia/Seoul' };
  expect(writeValue(name, value, writing).replace('\u202f', ' ')).toBe(written);
});

test.each([
  ['KEY_CHANGED', '7', '/settings/keys'],
  ['SIGNING_KEY_ADDED', '7', '/settings/signing'],
  ['VIDEO_CHANGED', 'a/b', '/videos/a%2Fb'],
  ['THUMBNAIL_SELECTED', 'key', '/videos/key'],
  ['FOLDER_CREATED', '3', '/library?folder=3'],
  ['VIDEO_DELETED', 'key', undefined],
  ['SHARE_REVOKED', '4', undefined],
  ['VIDEO_CHANGED', null, undefined],
  ['SOMETHING_NEW', '1', undefined],
])('%s of %s is found at %s', (action, object, path) => {
  expect(auditPlace(action, object)?.path).toBe(path);
});

test('what was changed is called as the change says, if it says it', () => {
  const [before, after] = [{ title: 'High tide' }, { title: 'Low tide' }];
  expect(nameNoted({ before, after })).toBe('Low tide');
  expect(nameNoted({ before, after: null })).toBe('High tide');
  expect(nameNoted({ before: { durationMs: 1 }, after: { durationMs: 2 } })).toBeUndefined();
});
