/** The dimensions of facts whose values strangers make up, for the book that bounds them. */
import {
  betweenVersions as between,
  type DetailColumn,
  type Fact,
  type OpenColumn,
  openColumns,
} from '../../store/facts.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import { unknown } from '../enrich/system/version-form.ts';

export interface OpenDimension {
  readonly column: OpenColumn;
  /** Its place among the others. */
  readonly index: number;
  readonly isVersion: boolean;
  /** A version stands after what it is a version of. Undefined: nothing that takes room. */
  valueIn(fact: Fact): string | undefined;
  withOther(fact: Fact): Fact;
}

type Kind = Omit<OpenDimension, 'column' | 'index'>;

const osVersion: Kind = {
  isVersion: true,
  valueIn: ({ os, osVersion }) => (isNamed(osVersion) ? os + between + osVersion : undefined),
  withOther: (fact) => ({ ...fact, osVersion: otherValue }),
};

const browserVersion: Kind = {
  ...detail('browserVersion'),
  isVersion: true,
  valueIn({ details }) {
    if (details === undefined) return undefined;
    const { browser = '', browserVersion } = details.attributes;
    return isNamed(browserVersion) ? browser + between + browserVersion : undefined;
  },
};

const mediaHost: Kind = {
  isVersion: false,
  valueIn: ({ quality }) => named(quality?.mediaHost),
  withOther: (fact) => ({ ...fact, quality: { ...fact.quality, mediaHost: otherValue } }),
};

const error: Kind = {
  isVersion: false,
  valueIn: ({ quality }) => named(quality?.wait?.error),
  withOther(fact) {
    const wait = fact.quality?.wait;
    return wait
      ? { ...fact, quality: { ...fact.quality, wait: { ...wait, error: otherValue } } }
      : fact;
  },
};

function detail(column: OpenColumn & DetailColumn): Kind {
  return {
    isVersion: false,
    valueIn({ details }) {
      return named(details?.attributes[column]);
    },
    withOther(fact) {
      const { details } = fact;
      if (details === undefined) return fact;
      const attributes = { ...details.attributes, [column]: otherValue };
      return { ...fact, details: { ...details, attributes } };
    },
  };
}

function named(value: string | undefined): string | undefined {
  return isNamed(value) ? value : undefined;
}

function isNamed(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value !== unknown && value !== otherValue;
}

function findKind(column: OpenColumn): Kind {
  switch (column) {
    case 'osVersion':
      return osVersion;
    case 'browserVersion':
      return browserVersion;
    case 'mediaHost':
      return mediaHost;
    case 'error':
      return error;
    default:
      return detail(column);
  }
}

export const openDimensions: readonly OpenDimension[] = openColumns.map((column, index) => ({
  ...{ column, index },
  ...findKind(column),
}));

/** Of a value as the store has it, whether it stands for what was left out, or for nothing. */
export function takeLastPart(value: string): string {
  return value.slice(value.lastIndexOf(between) + 1);
}

/** Each dimension has a room for what counts; behind all these is one for what is set apart. */
export function findRoom({ index }: OpenDimension, isApart: boolean): number {
  return isApart ? index + openDimensions.length : index;
}
