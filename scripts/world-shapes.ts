/**
 * dashboard/src/map/world-shapes.json: the countries of Natural Earth (in the public domain, by
 * way of world-atlas), simplified and projected so that equal areas look equal.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoEqualEarth, geoPath, type Path } from 'd3-geo';
import { type Geometry, merge, type Topology } from 'topojson-client';
import { presimplify, simplify } from 'topojson-simplify';

/** Of the drawing, in units of its own; its coordinates are whole ones. */
const width = 2_000;
/** Corners that add less than this, in square degrees, are left out. */
const leastCorner = 0.05;
/** Smaller countries are drawn as dots: nobody could see or hit them. */
const leastArea = 40;
/** Natural Earth has them without a number; where addresses come from says them as part of these. */
const codesWithoutNumber: Readonly<Record<string, string>> = {
  ...{ Kosovo: 'XK', Somaliland: 'SO', 'N. Cyprus': 'CY' },
};
/** Nobody lives there, and it would take a fifth of the map. */
const omitted = 'AQ';

export function worldShapes(): string {
  const topology = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('world-atlas/countries-50m.json'), 'utf8'),
  ) as Topology;
  const simple = simplify(presimplify(topology), leastCorner);
  const byCode = Map.groupBy(simple.objects.countries.geometries, codeOf);
  byCode.delete(omitted);
  const whole = merge(simple, [...byCode.values()].flat());
  const exact = Map.groupBy(topology.objects.countries.geometries, codeOf);
  // Turned so that no country but those at the poles reaches over its edge.
  const projection = geoEqualEarth().rotate([-11, 0]).fitWidth(width, whole).precision(1);
  const path = geoPath(projection).digits(0);
  const [[, top], [, bottom]] = path.bounds(whole);
  const lines = [...byCode]
    .flatMap(([code, parts]) => {
      if (code === undefined) return [];
      const [x, y] = path.centroid(merge(topology, exact.get(code) ?? []));
      const shape = merge(simple, parts);
      const drawn = path.area(shape) < leastArea ? '' : relative(path, shape, top);
      return [[code, [drawn, Math.round(x), Math.round(y - top)]] as const];
    })
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, shape]) => `    "${code}": ${JSON.stringify(shape)}`);
  return `{
  "width": ${width},
  "height": ${Math.ceil(bottom - top)},
  "countries": {
${lines.join(',\n')}
  }
}
`;
}

function codeOf({ id, properties }: Geometry): string | undefined {
  // The numbers of ISO 3166-1 are regions of a locale as well, which is canonical by its letters.
  if (id !== undefined) return new Intl.Locale(`und-${id}`).region;
  return codesWithoutNumber[properties.name];
}

/** By steps from point to point: a third shorter than with places. */
function relative(path: Path, shape: object, top: number): string {
  const rings = (path(shape) ?? '').split('Z').filter(Boolean);
  return rings.flatMap((ring) => stepsOf(ring, top)).join('');
}

function stepsOf(ring: string, top: number): string[] {
  const places = ring
    .slice(1)
    .split('L')
    .map((place) => place.split(',').map(Number) as [number, number]);
  const [[x, y] = [0, 0], ...others] = places;
  let [lastX, lastY] = [x, y];
  const steps = others.flatMap(([nextX, nextY]) => {
    const step = [nextX - lastX, nextY - lastY];
    [lastX, lastY] = [nextX, nextY];
    return step[0] === 0 && step[1] === 0 ? [] : [step.join(' ')];
  });
  // A ring of two places has no inside.
  if (steps.length < 2) return [];
  return [`M${x} ${y - Math.floor(top)}l${steps.join(' ')}z`.replaceAll(' -', '-')];
}
