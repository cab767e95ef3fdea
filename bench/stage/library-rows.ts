/** A library as CSV: titles of words that are common and rare as words are, in three scripts. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const syllables = [
  ...['ba', 'ren', 'to', 'mi', 'lor', 'sa', 'ke', 'vin', 'du', 'pa', 'gri', 'ne', 'shu', 'ol'],
  ...[
    'ta',
    'ril',
    'mon',
    'fe',
    'ca',
    'zo',
    '서',
    '울',
    '바',
    '다',
    '하',
    '늘',
    '사',
    '람',
    'лес',
    'мор',
  ],
];
const wordCount = 20_000;
const otherFolders = 8;

/** Every fifth video is in it. */
export const largeFolder = 'Large';
export const keyInLargeFolder = 'key-0';

/** In one title of a thousand, and in one of a hundred thousand. */
export const seldom = 'Quixotry';
export const hardlyEver = 'Xylograph';

const words = Array.from({ length: wordCount }, (_, index) => wordOf(index));

function wordOf(index: number): string {
  let rest = index + syllables.length;
  let word = '';
  while (rest > 0) {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  }
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

/** The most common word, as a keyword. */
export const commonWord = words[0] ?? '';

export async function writeLibrary(file: string, videos: number): Promise<void> {
  function* lines(): Generator<string> {
    const random = randomNumbers(7);
    yield 'accessKey,folderName,title,cid,content,tag,duration,cdate,fileSize,vHeight,vWidth,' +
      'vFramerate,series,author,thumbnailUrl\n';
    let chunk = '';
    for (let index = 0; index < videos; index += 1) {
      chunk += rowOf(index, random);
      if (index % 500 < 499) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

function rowOf(index: number, random: () => number): string {
  // Squared twice: few words are common, most are rare.
  const word = () => words[Math.floor(random() ** 4 * wordCount)];
  const some = (count: number) => Array.from({ length: count }, word).join(' ');
  const rare = [index % 1_000 === 0 ? seldom : '', index % 100_000 === 0 ? hardlyEver : ''];
  const title = [...rare, some(3), index].filter((part) => part !== '').join(' ');
  const folder = index % 5 === 0 ? largeFolder : `Folder ${index % otherFolders}`;
  const second = String(Math.floor(random() * 86_400)).padStart(5, '0');
  return [
    `key-${index}`,
    folder,
    `"${title}, ""${word()}"""`,
    `cid-${index}`,
    `"${some(12)}, ${some(6)}"`,
    `${word()} ${word()}`,
    Math.floor(random() * 7_200_000),
    new Date(1_500_000_000_000 + index * 100_000 + Number(second)).toISOString(),
    Math.floor(random() * 4_000_000_000),
    1_080,
    1_920,
    29.97,
    word(),
    word(),
    `https://pictures.example.com/${index}.jpg\n`,
  ].join(',');
}

/** The same library at every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
