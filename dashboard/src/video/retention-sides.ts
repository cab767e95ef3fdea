/** Whose curve is drawn, and which one beside it: of another time, package or video. */
import { useQueries } from '@tanstack/react-query';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { usePageUrl } from '../page-url.ts';
import type { Retention } from '../questions.ts';
import { server } from '../server.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { rangeBefore } from '../view.ts';

/** Before the days of the page. */
const times = ['weekdays', 'previous', 'year'] as const;

/** Before the key of another video, in the URL. */
const videoPrefix = 'video:';

export interface RetentionSide {
  readonly name: string;
  readonly accessKey: string;
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

/** Whether they are of two videos, laid over each other by share of their length. */
export function areOfTwoVideos({ one, other }: RetentionPair): boolean {
  return other !== undefined && other.accessKey !== one.accessKey;
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
  /** One of the times, a package's number, another video, or ''. */
  readonly against: string;
  /** The other video that it is compared with. */
  readonly otherVideo: string | undefined;
}

export function useRetentionSides(accessKey: string): RetentionSides {
  const { t, formats } = useReader();
  const { search } = usePageUrl();
  const { shared } = usePerson();
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
  const named = shared ? undefined : videoIn(against);
  const otherVideo = named === accessKey ? undefined : named;
  const titles = useTitles(otherVideo === undefined ? [] : [accessKey, otherVideo]);
  const sideOf: RetentionSides['sideOf'] = ({ sdate, edate, packageId, accessKey }) => {
    const ownName = time ? formats.range(sdate, edate) : nameOf(packageId);
    const name = otherVideo === undefined ? ownName : (titles.get(accessKey) ?? accessKey);
    return { sdate, edate, packageId, accessKey, name };
  };
  const one = sideOf({ ...range, accessKey, packageId });
  let other: RetentionSide | undefined;
  if (time) {
    const { from, to } = rangeBefore(view, time);
    other = sideOf({ accessKey, sdate: from, edate: to, packageId });
  } else if (otherVideo !== undefined) {
    other = sideOf({ ...range, accessKey: otherVideo, packageId });
  } else if (otherId !== undefined) {
    other = sideOf({ ...range, accessKey, packageId: otherId });
  }
  return { one, other, sideOf, packages, ofPackage, against, otherVideo };
}

export const againstVideo = (accessKey: string) => videoPrefix + accessKey;

function videoIn(against: string): string | undefined {
  const key = against.startsWith(videoPrefix) ? against.slice(videoPrefix.length) : '';
  return key === '' ? undefined : key;
}

function useTitles(accessKeys: readonly string[]): ReadonlyMap<string, string> {
  const { scopes } = usePerson();
  const found = useQueries({
    queries: accessKeys.map((accessKey) => ({
      queryKey: ['video', accessKey],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        server.manage.video(accessKey, { signal }),
      enabled: scopes.includes('manage'),
    })),
  });
  return new Map(found.flatMap(({ data }) => (data?.title ? [[data.accessKey, data.title]] : [])));
}

function idIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
