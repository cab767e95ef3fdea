import { expect, test } from 'vitest';
import { cutCsv } from './cut-csv.ts';

test('parts end between rows, have the header, and say where they begin', () => {
  const text = '\ufeffcid,title\n1,One\n2,"Two\nlines"\n3,Three\n';
  expect(cutCsv(text, { characters: 1, lines: 10 })).toEqual([
    { csv: 'cid,title\n1,One\n', firstLine: 2, headerLines: 1 },
    { csv: 'cid,title\n2,"Two\nlines"\n', firstLine: 3, headerLines: 1 },
    { csv: 'cid,title\n3,Three\n', firstLine: 5, headerLines: 1 },
  ]);
  expect(cutCsv(text)).toHaveLength(1);
  expect(cutCsv(text, { characters: 1_000, lines: 2 })).toHaveLength(2);
});

test('a stray quote costs its own line', () => {
  const text = 'cid,title\n1,"One\n2,Two\n';
  expect(cutCsv(text, { characters: 1, lines: 1 }).map(({ firstLine }) => firstLine)).toEqual([
    2, 3,
  ]);
});

test.each(['', 'cid,title\n'])('nothing is made of %j', (text) => {
  expect(cutCsv(text)).toEqual([]);
});
