/** The pictures of the videos that a list shows, as the library has them. */
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { usePerson } from './frame/person.tsx';
import { server } from './server.ts';

/** As many as the interface looks up at once. */
const mostKeys = 100;

export type Thumbnails = ReadonlyMap<string, string>;

/** Their URLs by access key; undefined where this person may not see the library. */
export function useThumbnails(accessKeys: readonly string[]): Thumbnails | undefined {
  const { scopes } = usePerson();
  const maySee = scopes.includes('manage');
  const chunks = chunksOf(maySee ? accessKeys : []);
  const found = useQueries({
    queries: chunks.map((keys) => ({
      queryKey: ['thumbnails', keys],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => readThumbnails(keys, signal),
      placeholderData: keepPreviousData<readonly (readonly [string, string])[]>,
      staleTime: staleMs,
    })),
    combine: (answers) => new Map(answers.flatMap(({ data = [] }) => data)),
  });
  return maySee ? found : undefined;
}

const staleMs = 300_000;

async function readThumbnails(keys: readonly string[], signal: AbortSignal) {
  const wanted = { accessKeys: keys.join(' '), pageSize: mostKeys };
  const { list } = await server.manage.videos(wanted, { signal });
  return list.map(({ accessKey, thumbnailUrl }) => [accessKey, thumbnailUrl] as const);
}

/** In one order, whatever that of the list: who is listed first may change every few seconds. */
export function chunksOf(accessKeys: readonly string[], size = mostKeys): string[][] {
  const sorted = [...new Set(accessKeys)].sort();
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, chunk) =>
    sorted.slice(chunk * size, (chunk + 1) * size),
  );
}
