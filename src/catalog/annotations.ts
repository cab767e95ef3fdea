/** Short texts at a moment or over a span of time: what happened, beside what was played. */
import type { Result } from '../lib/result.ts';
import type { AnnotationKind } from '../vocabulary/annotations.ts';
import type { CatalogRefusal } from './refusal.ts';

type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

/** Of a package, of a video, or without either of the whole account. */
export interface AnnotationTarget {
  readonly packageId: number | undefined;
  readonly accessKey: string | undefined;
}

export interface AnnotationFields {
  readonly kind: AnnotationKind;
  readonly text: string;
  readonly at: Date;
  /** Exclusive; undefined: it is of one moment. */
  readonly until: Date | undefined;
}

export interface NewAnnotation extends AnnotationFields, AnnotationTarget {
  readonly accountId: number;
}

export interface Annotation extends NewAnnotation {
  readonly annotationId: number;
  /** Of `accessKey`. */
  readonly videoId: number | undefined;
  readonly createdAt: Date;
  /** As in the audit. */
  readonly createdBy: string;
  readonly createdByName: string;
}

export interface AnnotationName {
  readonly accountId: number;
  readonly annotationId: number;
}

/** Omitted fields stay as they are. */
export type AnnotationChanges = {
  readonly [Name in keyof AnnotationFields]?: AnnotationFields[Name];
};

/** Those that touch a span of time; `to` is exclusive. */
export interface AnnotationQuery {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** They go with their video or package, and when all of the account is erased. */
export interface Annotations {
  /** By time; at most as many as an account has room for. */
  list(accountId: number, query: AnnotationQuery): Promise<Annotation[]>;
  find(name: AnnotationName): Promise<Annotation | undefined>;
  create(annotation: NewAnnotation): Outcome<Annotation>;
  change(name: AnnotationName, changes: AnnotationChanges): Outcome<Annotation>;
  delete(name: AnnotationName): Outcome<void>;
}
