/** What the pages of statistics share: the view in the URL, and the questions made of it. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Filter, toggleFilter, writeFilters } from './filters/filters.ts';
import { usePerson } from './frame/person.tsx';
import { keptAnswer } from './kept-answer.ts';
import { measures, qualityMeasures } from './measures.ts';
import { navigate, usePageUrl, withSearch } from './page-url.ts';
import { type Question, query, schema } from './questions.ts';
import { readView, type View } from './view.ts';

export const qualityPath = '/quality';

export interface ViewInUrl {
  readonly view: View;
  /** Members of the URL; undefined removes one. */
  change(changes: Readonly<Record<string, string | undefined>>): void;
  filterBy(filters: readonly Filter[]): void;
  /** The page as it would be with these filters. */
  urlWith(filters: readonly Filter[]): string;
}

export function useView(): ViewInUrl {
  const url = usePageUrl();
  const { shared, today } = usePerson();
  return useMemo(() => {
    const charted = url.path === qualityPath ? qualityMeasures : measures;
    const view = readView(url.search, today, shared, charted);
    const urlWith = (filters: readonly Filter[]) =>
      withSearch(url, { filters: writeFilters(filters) });
    return {
      view,
      change: (changes) => navigate(withSearch(url, changes)),
      filterBy: (filters) => navigate(urlWith(filters)),
      urlWith,
    };
  }, [url, today, shared]);
}

/** The range, comparison and filters of a view, as parameters of a question. */
export function parametersOf(view: View, filters = view.filters) {
  return {
    sdate: view.from,
    edate: view.to,
    filters: writeFilters(filters) || undefined,
    compare: view.compare === 'none' ? undefined : view.compare,
  };
}

/** Where its answer is kept, and how it is asked. */
export const questionOf = (parameters: Question) =>
  queryOptions({
    queryKey: ['query', parameters],
    queryFn: ({ signal }) => query(parameters, signal),
  });

/** While the next answer comes, the last one stays, under its own dates (frame/old-dates.tsx). */
export function useQuestion(parameters: Question, options: { enabled?: boolean } = {}) {
  return useQuery({
    ...questionOf(parameters),
    placeholderData: (last) => keptAnswer(last, parameters.accessKey),
    ...options,
  });
}

/** What is written within a text: of the page's own question, or nothing. */
export function useAnswer(parameters: Question) {
  const { data, isPlaceholderData } = useQuestion(parameters);
  return isPlaceholderData ? undefined : data;
}

export function toggled(view: View, pairs: readonly (readonly [string, string])[]): Filter[] {
  return pairs.reduce<Filter[]>(
    (filters, [name, value]) => toggleFilter(filters, name, value),
    [...view.filters],
  );
}

/** What there is to ask: changes only with the labels of the account. */
export function useSchema() {
  return useQuery({
    queryKey: ['schema'],
    queryFn: ({ signal }) => schema(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
