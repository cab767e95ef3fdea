/** What an annotation tells of, with its meaning for the reference. */
export const annotationKinds = {
  published: 'something came out',
  campaign: 'it was advertised, or sent round',
  outage: 'something did not work',
  note: 'anything else',
} as const;

export type AnnotationKind = keyof typeof annotationKinds;
export const annotationKindNames = Object.keys(annotationKinds) as AnnotationKind[];

export const longestAnnotation = 300;
