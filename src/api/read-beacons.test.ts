import { expect, test } from 'vitest';
import { readBeacons } from './read-beacons.ts';

const read = (text: string) => readBeacons(Buffer.from(text));
const many = (count: number) => `{"beacons":[${Array(count).fill(0).join()}]}`;

test.each([
  ['{"beacons":[]}', []],
  ['{"beacons":[null,{"a":1}],"more":1}', [null, { a: 1 }]],
])('the beacons of %s are read', (text, beacons) => {
  expect(read(text)).toEqual(beacons);
});

test.each([
  ['', 'body', 'is empty'],
  ['{', 'body', 'is not valid JSON'],
  ['null', 'body', 'must be an object with the member beacons'],
  ['"beacons"', 'body', 'must be an object with the member beacons'],
  ['[]', 'body', 'must be an object with the member beacons'],
  ['{}', 'body', 'must be an object with the member beacons'],
  ['{"beacons":null}', 'beacons', 'must be a list'],
  ['{"beacons":{"length":1}}', 'beacons', 'must be a list'],
])('%s is refused: %s %s', (text, parameter, detail) => {
  const subject = parameter === 'body' ? 'The body' : 'beacons';
  const errors = [{ parameter, detail }];
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMETER', message: `${subject} ${detail}`, errors }),
  );
});

test('a thousand are read, and one more is refused', () => {
  expect(read(many(1_000))).toHaveLength(1_000);
  const errors = [{ parameter: 'beacons', detail: 'must not contain more than 1000' }];
  expect(() => read(many(1_001))).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMETER', errors }),
  );
});
