import { allPages } from '../frame/all-pages.ts';
import { Choice } from '../frame/choice.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { SearchField } from '../frame/search-field.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

export const pageSizes = [50, 200, 1_000];
export const sorts = ['id', 'title', 'duration', 'filesize'] as const;

const mostOfPage = 1_000;
const csvHeads = ['accessKey', 'folderId', 'title', 'duration', 'cdate'] as const;

interface VideosHeadProps {
  /** The videos that are listed, whatever the page. */
  readonly wanted: {
    readonly folderId?: number;
    readonly keyword: string;
    readonly sortItem: (typeof sorts)[number];
    readonly sortDirection: 'asc' | 'desc';
  };
  readonly pageSize: number;
  /** Undefined until it is known. */
  readonly count: number | undefined;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

export function VideosHead({ wanted, pageSize, count, onChange }: VideosHeadProps) {
  const { t, formats } = useReader();
  const readTable = async () => {
    const read = (page: number) => server.manage.videos({ ...wanted, page, pageSize: mostOfPage });
    return tableOf(await allPages(read), csvHeads);
  };
  return (
    <div className="panel-head">
      <SearchField
        label={t('library.search')}
        text={wanted.keyword}
        onChange={(q) => onChange({ q })}
      />
      <Choice
        label={t('library.sort')}
        value={wanted.sortItem}
        options={sorts.map((value) => ({ value, name: t(`sort.${value}`) }))}
        onChoose={(sort) => onChange({ sort })}
      />
      <Choice
        label={t('library.size')}
        value={String(pageSize)}
        options={pageSizes.map((size) => ({
          value: String(size),
          name: t('library.rows', { count: formats.number(size) }),
        }))}
        onChoose={(size) => onChange({ size })}
      />
      <span className="quiet" role="status">
        {count !== undefined && t('list.count', { count: formats.number(count) })}
      </span>
      <TableCsvButton name="videos" table={readTable} />
    </div>
  );
}
