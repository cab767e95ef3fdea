import fc from 'fast-check';
import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addQuickHistogram } from './telemetry.ts';

const about = { name: 'seconds', help: 'How long it takes' };
const labelNames = ['method', 'route'];
const buckets = [0.005, 0.25, 1, 10];

/** The same values, counted by it and by the library. */
function counted(values: readonly (readonly [route: string, value: number])[]) {
  const [own, library] = [new Registry(), new Registry()];
  const seriesOf = addQuickHistogram({ ...about, labelNames, buckets, metrics: own });
  const registers = [library];
  const histogram = new Histogram({ ...about, labelNames, buckets: [...buckets], registers });
  for (const [route, value] of values) {
    const labels = { method: 'GET', route };
    seriesOf(labels)(value);
    histogram.observe(labels, value);
  }
  return [own, library] as const;
}

const values = fc.array(
  fc.tuple(
    fc.constantFrom('/a', '/b"\n', '/c'),
    fc.oneof(fc.constantFrom(...buckets), fc.double({ min: 0, max: 20, noNaN: true })),
  ),
  { maxLength: 20 },
);

test('it tells what that of the library tells, as text and added up over workers', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (some) => {
      const [own, library] = counted(some);
      expect(await own.metrics()).toBe(await library.metrics());
      const summed = async (registry: Registry) => {
        const metrics = await registry.getMetricsAsJSON();
        return AggregatorRegistry.aggregate([metrics, metrics]).metrics();
      };
      expect(await summed(own)).toBe(await summed(library));
    }),
  );
});

test('a name that is taken is refused', () => {
  const metrics = new Registry();
  const options = { ...about, labelNames, buckets, metrics };
  addQuickHistogram(options);
  expect(() => addQuickHistogram(options)).toThrow('seconds');
});
