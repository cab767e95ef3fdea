import { PictureButtons } from '../charts/picture-buttons.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { useReader } from '../language.tsx';
import { usePicture } from '../overview/use-picture.ts';
import { retentionHeads } from './retention-heads.ts';
import type { RetentionPair } from './retention-sides.ts';
import { shareOf } from './share-of.ts';

interface RetentionFilesProps {
  readonly curves: RetentionPair;
  readonly title: string;
}

export function RetentionFiles({ curves, title }: RetentionFilesProps) {
  const { t } = useReader();
  const { one, other } = curves;
  const picture = usePicture(t('retention.name'), 'retention', title);
  const [part = '', ...heads] = retentionHeads(curves, t);
  const rows = () =>
    one.data.list.map(({ fromMs, toMs, audience, watched }, index) => [
      fromMs / 1_000,
      toMs / 1_000,
      audience,
      ...(other === undefined
        ? [watched]
        : [shareOf(one, index), other.data.list[index]?.audience ?? 0, shareOf(other, index)]),
    ]);
  const ends = [`${part}, ${t('retention.from')}`, `${part}, ${t('retention.to')}`];
  const keys = [
    { selector: '.line', text: other ? one.name : t('retention.audience') },
    { selector: '.line.second', text: other?.name ?? '' },
    { selector: '.watched', text: t('retention.watched') },
  ];
  return (
    <>
      <TableCsvButton
        name={picture.name}
        table={() => ({ heads: [...ends, ...heads], rows: rows() })}
      />
      <PictureButtons {...picture} keys={keys} />
    </>
  );
}
