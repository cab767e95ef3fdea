import { nothing } from '../formats.ts';
import { Change } from '../frame/change.tsx';
import { changeOf } from '../frame/change-of.ts';
import { useReader } from '../language.tsx';
import { isBetterLess, type Measure } from '../measures.ts';
import type { RowFigures } from './row-figures.ts';

interface RowChangeProps extends Pick<RowFigures, 'value'> {
  readonly change: NonNullable<RowFigures['change']>;
  readonly measure: Measure;
}

export function RowChange({ change, value, measure }: RowChangeProps) {
  const { t } = useReader();
  if (typeof change === 'object') {
    return <Change {...{ value, before: change.before, isBetterLess: isBetterLess(measure) }} />;
  }
  if (change === 'new') return <span className="change">{t('list.new')}</span>;
  return (
    <span className="change" title={t('list.unsure')}>
      <span aria-hidden="true">{nothing}</span>
      <span className="hidden">{t('list.unsure')}</span>
    </span>
  );
}

/** The same as one text; '' if nothing is compared. */
export function useChangeText(): (figures: RowFigures) => string {
  const { t, formats } = useReader();
  return ({ value, change }) => {
    if (change === undefined) return '';
    if (change === 'new') return t('list.new');
    const part = change === 'unsure' ? undefined : changeOf(value, change.before);
    return part === undefined ? t('list.unsure') : formats.change(part);
  };
}
