/** The questions of the audience interface (v2), and their answers. */
import type { Measure } from './measures.ts';
import { askServer } from './server.ts';

const root = '/report/statistics/video/v2';
export const queryPath = `${root}/query`;

export type Values = Readonly<Partial<Record<Measure, number | null>>>;

/** A row has its labels and its measures side by side. */
export interface Row {
  readonly [name: string]: string | number | null | Values | undefined;
  readonly previous?: Values | null;
}

export interface QueryParameters {
  readonly sdate: string;
  readonly edate: string;
  readonly measures: string;
  readonly dimensions?: string | undefined;
  readonly filters?: string | undefined;
  readonly sort?: string | undefined;
  readonly compare?: 'previous' | 'year' | undefined;
  readonly fill?: 'zero' | undefined;
  readonly accessKey?: string | undefined;
  readonly packageId?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly requestId?: string | undefined;
  readonly nextToken?: string | undefined;
}

export interface QueryAnswer {
  readonly list: readonly Row[];
  readonly totals: Row;
  readonly rowCount: number;
  readonly requestId: string;
  readonly nextToken: string;
  readonly viewerBasis?: { readonly named: number; readonly daily: number; readonly none: number };
}

export interface RetentionPart {
  readonly part: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly audience: number;
  readonly watched: number;
}

export interface Retention {
  readonly lengthMs: number;
  readonly views: number;
  readonly positionedViews: number;
  readonly averageSeen: number | null;
  readonly list: readonly RetentionPart[];
}

export interface Live {
  readonly asOf: string;
  readonly playing: number;
  readonly videos: readonly {
    readonly video: string;
    readonly videoTitle: string;
    readonly playing: number;
  }[];
  readonly lastMinutes: readonly { readonly time: string; readonly peak: number }[];
}

interface Envelope<Data> {
  readonly data: Data;
}

async function ask<Data>(path: string, query: object, signal?: AbortSignal): Promise<Data> {
  return (await askServer<Envelope<Data>>(`${root}${path}`, { ...query }, signal)).data;
}

export const query = (parameters: QueryParameters, signal?: AbortSignal) =>
  ask<QueryAnswer>('/query', parameters, signal);

export const retention = (
  parameters: {
    readonly accessKey: string;
    readonly sdate: string;
    readonly edate: string;
    readonly parts?: number;
    readonly packageId?: number | undefined;
    readonly filters?: string | undefined;
  },
  signal?: AbortSignal,
) => ask<Retention>('/retention', parameters, signal);

export interface Schema {
  readonly dimensions: readonly { readonly name: string; readonly attribution?: string }[];
}

export const schema = (signal?: AbortSignal) => ask<Schema>('/schema', {}, signal);

export const live = (signal?: AbortSignal) => ask<Live>('/live', {}, signal);
