import { useReader } from '../language.tsx';
import type { Question } from '../questions.ts';
import { useView } from '../statistics.ts';

interface OldDatesProps {
  /** What the data in sight answers; undefined where it is what the page asks for. */
  readonly of: Pick<Question, 'sdate' | 'edate'> | undefined;
}

/** Says of which days the data beside it is, which the style dims, until that of the page is there. */
export function OldDates({ of }: OldDatesProps) {
  const { t, formats } = useReader();
  const { from, to } = useView().view;
  if (of === undefined) return null;
  const isOfPage = of.sdate === from && of.edate === to;
  const range = formats.range(of.sdate, of.edate);
  return <p className="old-dates">{isOfPage ? t('loading') : t('late.still', { range })}</p>;
}
