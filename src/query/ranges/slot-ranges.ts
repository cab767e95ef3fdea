import type { Span } from './range-cover.ts';

/** The condition that a slot begins within one of the spans; `name` begins its parameters. */
export function slotsWithin(spans: readonly Span[], name = '') {
  const parts = spans.map(
    (_, index) => `slot >= {${name}from${index}:UInt32} AND slot < {${name}until${index}:UInt32}`,
  );
  const named = spans.flatMap(({ fromMs, untilMs }, index) => [
    [`${name}from${index}`, fromMs / 1_000],
    [`${name}until${index}`, untilMs / 1_000],
  ]);
  return {
    sql: parts.length === 1 ? `${parts[0]}` : `(${parts.join(' OR ')})`,
    parameters: Object.fromEntries(named) as Readonly<Record<string, number>>,
  };
}
