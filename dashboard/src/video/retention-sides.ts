/** Whose curve is drawn, and which one beside it: of another time or of another package. */
import { useReader } from '../language.tsx';
import { usePageUrl } from '../page-url.ts';
import type { Retention } from '../questions.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { rangeBefore } from '../view.ts';

/** Before the days of the page. */
const times = ['weekdays', 'previous', 'year'] as const;

export interface RetentionSide {
  readonly name: string;
  readonly sdate: string;
  readonly edate: string;
  /** Undefined: all packages. */
  readonly packageId: number | undefined;
}

export interface RetentionCurve extends RetentionSide {
  readonly data: Retention;
}

export interface RetentionPair {
  readonly one: RetentionCurve;
  readonly other?: RetentionCurve;
}

export interface RetentionSides {
  readonly one: RetentionSide;
  readonly other: RetentionSide | undefined;
  /** A curve of these days, as it is called beside the other one. */
  readonly sideOf: (asked: Retention['asked']) => RetentionSide;
  /** The packages in which the video was played. */
  readonly packages: readonly { readonly packageId: number; readonly name: string }[];
  /** As the URL has it: a package's number, or '' for all. */
  readonly ofPackage: string;
  /** One of the times, a package's number, or ''. */
  readonly against: string;
}

export function useRetentionSides(accessKey: string): RetentionSides {
  const { t, formats } = useReader();
  const { search } = usePageUrl();
  const { view } = useView();
  const { data } = useQuestion({
    ...parametersOf({ ...view, compare: 'none' }),
    ...{ accessKey, measures: ['plays'], dimensions: ['package'] },
  });
  const packages = (data?.rows ?? []).flatMap(({ package: packageId, packageName }) =>
    packageId === undefined ? [] : [{ packageId, name: packageName || String(packageId) }],
  );
  const nameOf = (packageId: number | undefined) =>
    packageId === undefined
      ? t('retention.allPackages')
      : (packages.find((one) => one.packageId === packageId)?.name ?? String(packageId));
  const ofPackage = search.get('package') ?? '';
  const against = search.get('against') ?? '';
  const packageId = idIn(ofPackage);
  const range = { sdate: view.from, edate: view.to };
  const time = times.find((one) => one === against);
  const otherId = idIn(against);
  const sideOf: RetentionSides['sideOf'] = ({ sdate, edate, packageId }) => ({
    ...{ sdate, edate, packageId },
    name: time ? formats.range(sdate, edate) : nameOf(packageId),
  });
  const one = sideOf({ ...range, accessKey, packageId });
  let other: RetentionSide | undefined;
  if (time) {
    const { from, to } = rangeBefore(view, time);
    other = sideOf({ accessKey, sdate: from, edate: to, packageId });
  } else if (otherId !== undefined) {
    other = sideOf({ ...range, accessKey, packageId: otherId });
  }
  return { one, other, sideOf, packages, ofPackage, against };
}

function idIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
