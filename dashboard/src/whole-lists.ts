/** What is listed whole, and not page by page. */
import { useQuery } from '@tanstack/react-query';
import { allPages, type Page } from './frame/all-pages.ts';
import { server } from './server.ts';

interface PageOfMany {
  readonly page: number;
  readonly pageSize: number;
}

const pageSize = 1_000;

export const useFolders = () => useWholeList('folders', server.manage.folders);
export const usePackages = (isWanted = true) =>
  useWholeList('packages', server.manage.packages, isWanted);
export const useKeys = (isWanted = true) => useWholeList('keys', server.manage.keys, isWanted);
export const useMembers = (isWanted = true) =>
  useWholeList('members', server.manage.members, isWanted);
export const useShares = () => useWholeList('shares', server.manage.shares);

/** What a video is published in. */
export function usePublications(accessKey: string | undefined, isWanted = true) {
  return useQuery({
    queryKey: ['publications', accessKey],
    queryFn: ({ signal }) => server.manage.publicationsOf(accessKey ?? '', { signal }),
    enabled: isWanted && accessKey !== undefined,
  });
}

/** The name of a package; its number while nobody knows it. */
export function usePackageNames(isWanted = true): (packageId: number) => string {
  const { data } = usePackages(isWanted);
  const names = new Map(data?.map(({ packageId, packageName }) => [packageId, packageName]));
  return (id) => names.get(id) ?? String(id);
}

/** Under the name that changes are told by (frame/use-change.ts). */
export function useWholeList<Item>(
  name: string,
  read: (page: PageOfMany, options: { readonly signal: AbortSignal }) => Promise<Page<Item>>,
  enabled = true,
) {
  return useQuery({
    queryKey: [name],
    enabled,
    queryFn: ({ signal }) => allPages((page) => read({ page, pageSize }, { signal })),
  });
}
