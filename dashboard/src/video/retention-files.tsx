import { PictureButtons } from '../charts/picture-buttons.tsx';
import { AnswerCsvButton, TableCsvButton } from '../frame/csv-button.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useReader } from '../language.tsx';
import { usePicture } from '../overview/use-picture.ts';
import { retentionCsv } from '../questions.ts';
import { areOfTwoVideos, type RetentionPair } from './retention-sides.ts';

interface RetentionFilesProps {
  readonly accessKey: string;
  readonly curves: RetentionPair;
  readonly title: string;
}

const csvHeads = [
  ...(['sdate', 'edate', 'packageId'] as const),
  ...(['part', 'fromMs', 'toMs', 'audience', 'watched'] as const),
] as const;

export function RetentionFiles({ accessKey, curves, title }: RetentionFilesProps) {
  const { t } = useReader();
  const { one, other } = curves;
  const { sdate, edate, packageId } = one;
  const picture = usePicture(t('retention.name'), 'retention', { title, asked: one.data.asked });
  const keys = [
    { selector: '.line', text: other ? one.name : t('retention.audience') },
    { selector: '.line.second', text: other?.name ?? '' },
    { selector: '.watched', text: t('retention.watched') },
  ];
  const { filters } = one.data.asked;
  const asked = { accessKey, sdate, edate, packageId, filters };
  return (
    <>
      {other ? (
        <TableCsvButton
          name={picture.name}
          table={() =>
            tableOf(
              [one, other].flatMap(rowsOf),
              areOfTwoVideos(curves) ? ['accessKey', ...csvHeads] : csvHeads,
            )
          }
        />
      ) : (
        <AnswerCsvButton
          name={picture.name}
          ask={() => retentionCsv({ ...asked, parts: one.data.list.length })}
        />
      )}
      <PictureButtons {...picture} keys={keys} />
    </>
  );
}

/** Behind what was asked, so that two curves stand in one table. */
function rowsOf({ accessKey, sdate, edate, packageId, data }: RetentionPair['one']) {
  return data.list.map((part) => ({
    ...{ accessKey, sdate, edate, packageId: packageId ?? null },
    ...part,
  }));
}
