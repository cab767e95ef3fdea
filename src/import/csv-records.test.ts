/** Lists as people have them: of spreadsheets that save them in their own ways. */
import { expect, test } from 'vitest';

import { readCsv } from './csv-records.ts';
import { nameColumns } from './row-video.ts';

const usual = 'cid,title,vFramerate\n1,"One, two",25\n2,"Two\nlines",\n';
const usualRows = [
  [2, { cid: '1', title: 'One, two', vFramerate: '25' }],
  [3, { cid: '2', title: 'Two\nlines' }],
];

/** In pieces, so that they end within a character. */
async function* inPieces(list: string | Buffer, size = 7): AsyncGenerator<Buffer> {
  const bytes = typeof list === 'string' ? Buffer.from(list) : list;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(list: string | Buffer, size?: number) {
  const rows: [number, unknown][] = [];
  for await (const { line, values } of readCsv(inPieces(list, size), nameColumns)) {
    rows.push([line, values.ok ? values.value : values.reason]);
  }
  return rows;
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

test.each([
  ['commas', usual],
  ['semicolons', 'cid;title;vFramerate\n1;One, two;25\n2;"Two\nlines";\n'],
  ['tabs, and CRLF', 'cid\ttitle\tvFramerate\r\n1\t"One, two"\t25\r\n2\t"Two\nlines"\t\r\n'],
  ['UTF-16, as "Unicode text"', utf16(usual)],
  ['UTF-16, the other way round', utf16(usual).swap16()],
  ['a mark of UTF-8', `\ufeff${usual}`],
])('%s', async (_, list) => {
  expect(await rowsOf(list)).toEqual(usualRows);
  expect(await rowsOf(list, 1)).toEqual(usualRows);
});

test.each([
  ['sep=;\n', ';'],
  ['\ufeffsep=|\r\n', '|'],
  ['"sep=\t"\n', '\t'],
])('the line %j tells the separator', async (told, separator) => {
  const list = `${told}cid,title\n1,One\n`.replaceAll(',', separator);
  expect(await rowsOf(list)).toEqual([[3, { cid: '1', title: 'One' }]]);
});

test('rows and columns that hold nothing are passed over, and lines are those of the file', async () => {
  const list = '\n,,,\ncid,,title, \n,,,\n1,,One,\n \n2,,Two,\n\n';
  expect(await rowsOf(list)).toEqual([
    [5, { cid: '1', title: 'One' }],
    [7, { cid: '2', title: 'Two' }],
  ]);
});

test('what a column without a name holds is not dropped in silence', async () => {
  expect(await rowsOf('cid,title,\n1,One,red\n2,Two,\n')).toEqual([
    [2, 'has a value in column 3, which the header does not name'],
    [3, { cid: '2', title: 'Two' }],
  ]);
});

const otherwise = 'is not valid UTF-8: save the list as "CSV UTF-8"';

test('a list in another encoding says how to save it', async () => {
  expect(await rowsOf(Buffer.from('cid,title\n1,Caf\xe9\n', 'latin1'))).toEqual([[2, otherwise]]);
});

test.each([
  ['the header of another encoding', Buffer.from('cid,title,\xb0\n', 'latin1'), otherwise],
  ['UTF-16 without its mark', Buffer.from('cid,title\n', 'utf16le'), otherwise],
  ['a separator that nobody told', 'cid|title\n1|One\n', 'separate the columns by commas'],
])('%s says how to save it', async (_, list, words) => {
  await expect(rowsOf(list)).rejects.toThrow(words);
});
