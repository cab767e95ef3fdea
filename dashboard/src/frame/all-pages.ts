/** Every page of a list that is read page by page. */

export interface Page<Item> {
  readonly list: readonly Item[];
  readonly paging: { readonly totalPage: number };
}

export async function allPages<Item>(
  read: (page: number) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { list, paging } = await read(page);
    for (const item of list) items.push(item);
    if (page >= paging.totalPage) return items;
  }
}
