/** Every way to list and search a folder, or all of them, as it is asked over HTTP. */
import { commonWord, hardlyEver, seldom } from './library-rows.ts';
import { type AskedTimes, timesOf } from './questions.ts';

export interface VideoQuestion {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isSearch: boolean;
  readonly query: Readonly<Record<string, string>>;
}

export interface AskedFolder {
  readonly url: string;
  readonly key: string;
  /** Undefined: all folders, as the dashboard asks. */
  readonly folderId: number | undefined;
}

const pageSize = 30;

const sorts = ['id', 'title', 'duration', 'filesize'].flatMap((sortItem) =>
  ['desc', 'asc'].map((sortDirection) => ({ sortItem, sortDirection })),
);

const [first = '', second = '', third = ''] = commonWord;
const keywords = {
  '1 common character': first,
  '1 rare character': 'Q',
  '2 common characters': first + second,
  '2 rare characters': 'qu',
  '3 common characters': first + second + third,
  '3 rare characters': 'xyl',
  'a word in every 1,000th': seldom,
  'a word in every 100,000th': hardlyEver,
  'a word in none': 'no such word',
  'a word, in another script': '서울',
};

/** The middle is where a page costs most: the second half is walked from the end. */
const pages = { 'first page': 0, 'middle page': 0.5, 'last page': 1 };

type Narrowed = Record<string, Record<string, string>>;

const lists: Narrowed = Object.fromEntries([
  ...sorts.map((sort) => [`all by ${sort.sortItem} ${sort.sortDirection}`, sort]),
  ...Object.entries(keywords).flatMap(([what, keyword]) =>
    ['id', 'title'].map((sortItem) => [`${what}, by ${sortItem}`, { keyword, sortItem }]),
  ),
  [
    'common in the content, by duration',
    { searchItem: 'content', keyword: first, sortItem: 'duration' },
  ],
  ['common in the author, by title', { searchItem: 'author', keyword: first, sortItem: 'title' }],
  ['a cid', { searchItem: 'cid', keyword: 'cid-5' }],
]);

/** Each list at its pages; how many there are is asked first. */
export async function videoQuestions(folder: AskedFolder): Promise<VideoQuestion[]> {
  const questions: VideoQuestion[] = [];
  for (const [name, query] of Object.entries(lists)) {
    const totalPage = Math.ceil((await ask(folder, query)) / pageSize);
    for (const [where, share] of Object.entries(pages)) {
      const page = Math.max(1, Math.ceil(totalPage * share));
      if (page === 1 && share > 0) continue;
      const isFirst = share === 0;
      const isSearch = 'keyword' in query;
      const asked = { ...query, page: `${page}` };
      questions.push({ name: `${name}, ${where}`, isFirst, isSearch, query: asked });
    }
  }
  return questions;
}

/** All in turn, again and again; the times of each, without what is done before it. */
export async function askVideos(
  folder: AskedFolder,
  questions: readonly VideoQuestion[],
  times: number,
  before: () => Promise<void> = async () => {},
): Promise<readonly AskedTimes[]> {
  const taken = questions.map((): number[] => []);
  for (let round = 0; round <= times; round += 1) {
    for (const [index, { query }] of questions.entries()) {
      await before();
      const startedAt = performance.now();
      await ask(folder, query);
      if (round > 0) taken[index]?.push(performance.now() - startedAt);
    }
  }
  return taken.map(timesOf);
}

/** Answers how many videos there are in all. */
async function ask({ url, key, folderId }: AskedFolder, query: Readonly<Record<string, string>>) {
  const parameters = new URLSearchParams({
    ...(folderId !== undefined && { folderId: `${folderId}` }),
    pageSize: `${pageSize}`,
    ...query,
  });
  const path = folderId ? '/info/videopack/folder/v1/videos.json' : '/manage/v1/videos';
  const address = `${url}${path}?${parameters}`;
  const answer = await fetch(address, { headers: { 'x-api-key': key } });
  const body = (await answer.json()) as Partial<VideoPage> & { videoInfoList?: VideoPage };
  const { paging } = body.videoInfoList ?? body;
  if (!paging) throw new Error(`No answer: ${answer.status} ${address}`);
  return paging.totalCount;
}

interface VideoPage {
  readonly paging: { readonly totalCount: number };
}
