/** What the pages of statistics share: the view in the address, and the questions made of it. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { navigate, useAddress, withSearch } from './address.ts';
import { type Filter, toggleFilter, writeFilters } from './filters.ts';
import { usePerson } from './frame/person.tsx';
import { type Question, query, schema } from './questions.ts';
import { readView, type View } from './view.ts';

export interface ViewInAddress {
  readonly view: View;
  /** Members of the address; undefined removes one. */
  change(changes: Readonly<Record<string, string | undefined>>): void;
  filterBy(filters: readonly Filter[]): void;
  /** The page as it would be with these filters. */
  addressWith(filters: readonly Filter[]): string;
}

export function useView(): ViewInAddress {
  const address = useAddress();
  const { shared, today } = usePerson();
  return useMemo(() => {
    const view = readView(address.search, today, shared);
    const addressWith = (filters: readonly Filter[]) =>
      withSearch(address, { filters: writeFilters(filters) });
    return {
      view,
      change: (changes) => navigate(withSearch(address, changes)),
      filterBy: (filters) => navigate(addressWith(filters)),
      addressWith,
    };
  }, [address, today, shared]);
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

/** While the next answer comes, the last one stays, marked as busy. */
export function useQuestion(parameters: Question, options: { enabled?: boolean } = {}) {
  return useQuery({ ...questionOf(parameters), placeholderData: keepPreviousData, ...options });
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
