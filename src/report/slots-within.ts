import type { Span } from './cover-range.ts';

/** The condition that a slot begins within one of the spans. */
export function slotsWithin(spans: readonly Span[]) {
  const parts = spans.map(
    (_, index) => `slot >= {from${index}:UInt32} AND slot < {until${index}:UInt32}`,
  );
  const named = spans.flatMap(({ fromMs, untilMs }, index) => [
    [`from${index}`, fromMs / 1_000],
    [`until${index}`, untilMs / 1_000],
  ]);
  return {
    sql: parts.length === 1 ? `${parts[0]}` : `(${parts.join(' OR ')})`,
    parameters: Object.fromEntries(named) as Readonly<Record<string, number>>,
  };
}
