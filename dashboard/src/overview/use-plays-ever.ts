import { useQuery } from '@tanstack/react-query';
import { addDays, todayIn } from '../calendar.ts';
import { usePerson } from '../frame/person.tsx';
import { query } from '../questions.ts';
import { useFigures } from './use-figures.ts';

const pollMs = 2_000;
const everDays = 3_650;

/**
 * Of ten years, of all videos or of one, where the page itself has none; asked again and again
 * until there is one.
 */
export function usePlaysEver(accessKey?: string): number | undefined {
  const { timeZone } = usePerson();
  const shown = useFigures(accessKey).data?.totals.plays;
  const today = todayIn(timeZone);
  const { data } = useQuery({
    queryKey: ['plays-ever', today, accessKey],
    queryFn: ({ signal }) => {
      const ever = { sdate: addDays(today, -everDays), edate: today };
      return query({ ...ever, accessKey, measures: ['plays'] }, signal);
    },
    enabled: shown === 0,
    refetchInterval: ({ state }) => (state.data?.totals.plays === 0 ? pollMs : false),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return shown === 0 ? data?.totals.plays : shown;
}
