/** What a benchmark yields: named numbers, each with the target that it has to keep, if any. */
import type { Size } from './size.ts';

export interface Target {
  readonly kind: 'at least' | 'at most';
  readonly value: number;
}

export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: Target;
  /** What a reader has to know to judge the number. */
  readonly note?: string;
}

export interface Series {
  readonly title: string;
  /** What grows, along the chart. */
  readonly grows: string;
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly { readonly at: number; readonly ms: number }[];
  }[];
}

interface Outcome {
  readonly measured: readonly Measured[];
  /** For the charts in docs/. */
  readonly series?: readonly Series[];
}

export interface FigureOptions {
  /** Where a figure that takes long to fill a service keeps it, and finds it the next time. */
  readonly keptIn?: string | undefined;
}

/** By the name under which it can be run alone. */
export interface Figure {
  readonly name: string;
  measure(size: Size, say: (line: string) => void, options: FigureOptions): Promise<Outcome>;
}

export const atLeast = (value: number): Target => ({ kind: 'at least', value });
export const atMost = (value: number): Target => ({ kind: 'at most', value });

export function isMet({ value, target }: Measured): boolean | undefined {
  if (!target) return undefined;
  return target.kind === 'at least' ? value >= target.value : value <= target.value;
}
