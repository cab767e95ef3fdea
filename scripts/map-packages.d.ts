/** What scripts/world-shapes.ts uses of packages that have no types of their own. */
declare module 'topojson-client' {
  export interface Geometry {
    readonly type: string;
    readonly id?: string;
    readonly properties: { readonly name: string };
  }
  export interface Topology {
    readonly objects: {
      readonly countries: { readonly type: string; readonly geometries: readonly Geometry[] };
    };
  }
  /** The polygons of these geometries, with the borders between them gone. */
  export function merge(topology: Topology, geometries: readonly Geometry[]): object;
}

declare module 'topojson-simplify' {
  import type { Topology } from 'topojson-client';

  export function presimplify(topology: Topology): Topology;
  export function simplify(topology: Topology, leastWeight: number): Topology;
}

declare module 'd3-geo' {
  export interface Projection {
    rotate(angles: readonly [number, number]): Projection;
    fitWidth(width: number, shape: object): Projection;
    precision(units: number): Projection;
  }
  export interface Path {
    digits(digits: number): Path;
    (shape: object): string | null;
    area(shape: object): number;
    bounds(shape: object): [[number, number], [number, number]];
    centroid(shape: object): [number, number];
  }
  export function geoEqualEarth(): Projection;
  export function geoPath(projection: Projection): Path;
}
