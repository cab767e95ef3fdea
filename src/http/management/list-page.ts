import type { PageRequest } from '../../wire/management-messages.ts';

/** A page of a list that the catalog returns in full, because it is bounded. */
export function pageOf<Item>(items: readonly Item[], { page, pageSize }: PageRequest) {
  const start = (page - 1) * pageSize;
  return {
    list: items.slice(start, start + pageSize),
    paging: pagingOf({ page, pageSize }, items.length),
  };
}

export function pagingOf({ page, pageSize }: PageRequest, totalCount: number) {
  return { page, pageSize, totalCount, totalPage: Math.ceil(totalCount / pageSize) };
}
