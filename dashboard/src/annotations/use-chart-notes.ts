/** What happened in the time of a chart: annotations, and when a video came out in its packages. */
import { useQuery } from '@tanstack/react-query';
import type { Annotation } from '../../../client/src/index.ts';
import { addDays } from '../calendar.ts';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { useView } from '../statistics.ts';
import type { View } from '../view.ts';
import { usePackageNames, usePublications } from '../whole-lists.ts';
import { type ChartNote, notesWithin } from './chart-marks.ts';

export interface ShownNote extends ChartNote {
  /** What it is about; '': the whole account. */
  readonly about: string;
  /** Undefined: nobody wrote it. */
  readonly annotation?: Annotation;
}

/** As many as an account has at most. */
const pageSize = 1_000;
/** The days of every zone are within a day of those of UTC. */
const spare = 1;

export function useChartNotes(accessKey: string | undefined): readonly ShownNote[] {
  const { t } = useReader();
  const { scopes, timeZone } = usePerson();
  const { view } = useView();
  const isWanted = scopes.includes('manage');
  const from = `${addDays(view.from, -spare)}T00:00:00Z`;
  const to = `${addDays(view.to, 1 + spare)}T00:00:00Z`;
  const { data: annotations = [] } = useQuery({
    queryKey: ['annotations', from, to],
    queryFn: async ({ signal }) =>
      (await server.manage.annotations({ from, to, pageSize }, { signal })).list,
    enabled: isWanted,
  });
  const { data: publications = [] } = usePublications(accessKey, isWanted);
  const packagesOfVideo = publications.map(({ packageId }) => packageId);
  const isShown = (one: Annotation) =>
    accessKey === undefined
      ? isOfView(one, view)
      : (one.accessKey ?? accessKey) === accessKey &&
        (one.packageId === null || packagesOfVideo.includes(one.packageId));
  const shown = annotations.filter(isShown);
  const hasPackages = publications.length > 0 || shown.some(({ packageId }) => packageId !== null);
  const nameOf = usePackageNames(isWanted && hasPackages);
  const published = publications.map(({ packageId, publishedAt }) => ({
    ...{ key: `package ${packageId}`, at: publishedAt, until: null, about: '' },
    text: t('note.publishedIn', { name: nameOf(packageId) }),
  }));
  const written = shown.map((annotation) => ({
    ...{ key: String(annotation.annotationId), annotation, text: annotation.text },
    ...{ at: annotation.at, until: annotation.until },
    about:
      annotation.packageId === null ? (annotation.accessKey ?? '') : nameOf(annotation.packageId),
  }));
  return notesWithin<ShownNote>([...published, ...written], view, timeZone).sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  );
}

/** Of videos only those that the page is filtered by: there are many. */
function isOfView({ accessKey, packageId }: Annotation, { filters }: View): boolean {
  const valuesOf = (name: string) =>
    filters.find((filter) => filter.name === name && filter.operator === '==')?.values;
  if (accessKey !== null) return valuesOf('video')?.includes(accessKey) ?? false;
  return packageId === null || (valuesOf('package')?.includes(String(packageId)) ?? true);
}
