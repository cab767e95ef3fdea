import { expect, test } from 'vitest';
import { cutCsv, textOfList } from './cut-csv.ts';

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

test('what stands above the header goes with it', () => {
  const text = 'sep=;\r\n;;\r\ncid;title\r\n1;One\r\n2;Two\r\n';
  expect(cutCsv(text, { characters: 1, lines: 1 })).toEqual([
    { csv: 'sep=;\r\n;;\r\ncid;title\r\n1;One\r\n', firstLine: 4, headerLines: 3 },
    { csv: 'sep=;\r\n;;\r\ncid;title\r\n2;Two\r\n', firstLine: 5, headerLines: 3 },
  ]);
});

test.each([
  ['UTF-8', Buffer.from('cid\t한')],
  ['UTF-8 with its mark', Buffer.from('\ufeffcid\t한')],
  ['UTF-16', Buffer.from('\ufeffcid\t한', 'utf16le')],
  ['UTF-16, the other way round', Buffer.from('\ufeffcid\t한', 'utf16le').swap16()],
])('%s is read', (_, bytes) => {
  expect(textOfList(new Uint8Array(bytes).buffer)).toBe('cid\t한');
});

test('a stray quote costs its own line', () => {
  const text = 'cid,title\n1,"One\n2,Two\n';
  expect(cutCsv(text, { characters: 1, lines: 1 }).map(({ firstLine }) => firstLine)).toEqual([
    2, 3,
  ]);
});

test.each(['', 'cid,title\n', ',,\n'])('nothing is made of %j', (text) => {
  expect(cutCsv(text)).toEqual([]);
});
