import { type Dimension, pairsOf } from '../filters/dimensions.ts';
import { useValueNames } from '../filters/value-name.ts';
import { nothing } from '../formats.ts';
import { Icon } from '../frame/icons.tsx';
import { Link } from '../frame/link.tsx';
import { usePerson } from '../frame/person.tsx';
import { Thumbnail } from '../frame/thumbnail.tsx';
import { useReader } from '../language.tsx';
import { unitOf } from '../measures.ts';
import type { Answer, Row } from '../questions.ts';
import { toggled, useView } from '../statistics.ts';
import type { Thumbnails } from '../thumbnails.ts';
import { RowChange } from './row-change.tsx';
import { hasShare, rowFigures } from './row-figures.ts';

interface TopRowProps {
  readonly dimension: Dimension;
  readonly row: Row;
  readonly totals: Answer['totals'];
  readonly largest: number;
  /** Of videos, where they may be seen. */
  readonly thumbnails: Thumbnails | undefined;
}

export function TopRow({ dimension, row, totals, largest, thumbnails }: TopRowProps) {
  const { t, formats } = useReader();
  const { view, urlWith } = useView();
  const { rowName } = useValueNames();
  const { shared } = usePerson();
  const { value, share, change } = rowFigures(row, totals, view.measure);
  const name = rowName(dimension, row);
  const filters = toggled(view, pairsOf(dimension, row));
  const isChosen = filters.length < view.filters.length;
  return (
    <li className="row">
      <svg className="bar" preserveAspectRatio="none" viewBox="0 0 100 1" aria-hidden="true">
        <rect width={largest > 0 ? ((value ?? 0) / largest) * 100 : 0} height="1" />
      </svg>
      {thumbnails && <Thumbnail url={thumbnails.get(row.video ?? '')} />}
      <Link
        className="row-name"
        dir="auto"
        href={urlWith(filters)}
        aria-current={isChosen || undefined}
        title={name}
      >
        {name}
      </Link>
      {dimension.name === 'video' && !shared && (
        <Link
          className="row-open"
          href={`/videos/${encodeURIComponent(row.video ?? '')}`}
          aria-label={t('list.open', { name })}
          title={t('list.open', { name })}
        >
          <Icon name="overview" />
        </Link>
      )}
      <span className="row-value">{formats.measure(value, unitOf[view.measure])}</span>
      {hasShare(view.measure) && (
        <span className="row-share">
          <span className="hidden">{t('list.share')} </span>
          {share === undefined ? nothing : formats.share(share)}
        </span>
      )}
      {change !== undefined && <RowChange {...{ change, value, measure: view.measure }} />}
    </li>
  );
}
