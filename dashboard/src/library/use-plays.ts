import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { addDays } from '../calendar.ts';
import { writeFilters } from '../filters/filters.ts';
import { usePerson } from '../frame/person.tsx';
import { query } from '../questions.ts';
import { chunksOf } from '../thumbnails.ts';

/** As the overview shows by itself. */
const days = 28;

/** Of each of these videos in the last 28 days, 0 where nothing was played; undefined until known. */
export function usePlays(
  accessKeys: readonly string[],
): ((accessKey: string) => number) | undefined {
  const { today } = usePerson();
  const chunks = chunksOf(accessKeys);
  const { data } = useQuery({
    queryKey: ['query', 'plays-of', today, chunks],
    queryFn: async ({ signal }) => {
      const found = new Map<string, number>();
      for (const values of chunks) {
        const filters = writeFilters([{ name: 'video', operator: '==', values }]);
        const period = { sdate: addDays(today, 1 - days), edate: today, filters };
        const asked = { measures: ['plays'], dimensions: ['video'], pageSize: 1_000 } as const;
        const { rows } = await query({ ...period, ...asked }, signal);
        for (const { video = '', plays = 0 } of rows) found.set(video, plays);
      }
      return found;
    },
    enabled: chunks.length > 0,
    placeholderData: keepPreviousData,
  });
  // An answer has no row of a video that was not played.
  return data && ((accessKey) => data.get(accessKey) ?? 0);
}
