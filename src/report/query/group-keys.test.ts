import { expect, test } from 'vitest';
import type { AudienceDimensionName } from '../../wire/audience.ts';
import { groupKeys, keysPerDimension } from './group-keys.ts';

const clock = [{ sinceMs: 0, offsetMs: 32_400_000 }];
const context = { clock, labels: new Map([['plan', 2]]), shiftSeconds: 0 };
const local = 'slot + {clockOffset0:Int32}';

test.each<[AudienceDimensionName, readonly string[]]>([
  ['hour', [`toUInt32(toStartOfHour(${local}))`, '{clockOffset0:Int32}']],
  ['date', [`toDate(${local})`]],
  ['week', [`toMonday(${local})`]],
  ['month', [`toStartOfMonth(${local})`]],
  ['year', [`toStartOfYear(${local})`]],
  ['hourOfDay', [`toHour(${local})`]],
  ['weekday', [`toDayOfWeek(${local})`]],
  ['video', ['videoId']],
  ['package', ['packageId']],
  ['viewerKind', ['bitShiftRight(viewer, 62)']],
  ['country', ["if(country = '', 'Unknown', country)"]],
  ['label.plan', ["if(label2 = '', 'Unknown', label2)"]],
])('by %s: %j', (name, sql) => {
  expect(groupKeys([name], context, [])).toEqual({ sql, parameters: {}, conditions: [] });
  expect(sql).toHaveLength(keysPerDimension(name));
});

test('weeks, months and years of a range compared with are later, and nothing else is', () => {
  const shifted = { ...context, shiftSeconds: 86_400 };
  const later = `${local} + {shift:Int32}`;
  expect(groupKeys(['week', 'month', 'year', 'date', 'hour'], shifted, [])).toEqual({
    sql: [
      `toMonday(${later})`,
      `toStartOfMonth(${later})`,
      `toStartOfYear(${later})`,
      `toDate(${local})`,
      `toUInt32(toStartOfHour(${local}))`,
      '{clockOffset0:Int32}',
    ],
    parameters: { shift: 86_400 },
    conditions: [],
  });
});

test('a folder is that of the video, and a video in none is in no row', () => {
  const film = { accessKey: 'film', title: '', durationMs: 0 };
  const videos = [
    { ...film, videoId: 21, folderId: 3 },
    { ...film, videoId: 22, folderId: 4 },
  ];
  const folder =
    'transform(videoId, {folderVideosPart0:Array(UInt32)}, {foldersPart0:Array(UInt32)}, toUInt32(0))';
  expect(groupKeys(['video', 'folder', 'os'], context, videos)).toEqual({
    sql: ['videoId', folder, "if(os = '', 'Unknown', os)"],
    parameters: { folderVideosPart0: [21, 22], foldersPart0: [3, 4] },
    conditions: [`${folder} > 0`],
  });
});
