/** What the account has that is listed whole, and not page by page: choices, and names for ids. */
import { useQuery } from '@tanstack/react-query';
import { allPages, type Page } from './frame/all-pages.ts';
import { server } from './server.ts';

interface PageOfMany {
  readonly page: number;
  readonly pageSize: number;
}

const pageSize = 1_000;

export const useFolders = () => useWhole('folders', server.manage.folders);
export const usePackages = (isWanted = true) =>
  useWhole('packages', server.manage.packages, isWanted);
export const useKeys = (isWanted = true) => useWhole('keys', server.manage.keys, isWanted);
export const useMembers = (isWanted = true) => useWhole('members', server.manage.members, isWanted);
export const useShares = () => useWhole('shares', server.manage.shares);

function useWhole<Item>(
  name: 'folders' | 'packages' | 'keys' | 'members' | 'shares',
  read: (page: PageOfMany, options: { readonly signal: AbortSignal }) => Promise<Page<Item>>,
  enabled = true,
) {
  return useQuery({
    queryKey: [name],
    enabled,
    queryFn: ({ signal }) => allPages((page) => read({ page, pageSize }, { signal })),
  });
}
