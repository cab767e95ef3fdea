import type { DayValues, Fact, FactReader, ValueReader } from '../../src/store/facts.ts';
import { betweenVersions, openColumns } from '../../src/store/facts.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** The values that facts in memory name, as a store would read them. */
export function valuesOfFacts(
  written: readonly (readonly Fact[])[],
): ValueReader & Pick<FactReader, 'completeThrough'> {
  return {
    completeThrough: () => 0,
    async valuesOf(days) {
      const asked = days.flatMap((day) => [false, true].map((areApart) => ({ ...day, areApart })));
      return asked.flatMap(({ accountId, day, areApart }): DayValues[] => {
        const facts = written
          .flat()
          .filter((fact) => fact.accountId === accountId && (fact.suspect !== '') === areApart)
          .filter(({ slotStart }) => Math.floor(slotStart / dayMs) * dayMs === day);
        if (facts.length === 0) return [];
        const values = openColumns.map((column) => [
          column,
          [...new Set(facts.map((fact) => valueIn(fact, column)).filter((one) => one !== ''))],
        ]);
        return [{ accountId, day, areApart, values: Object.fromEntries(values) }];
      });
    },
    async earlierValuesOf(days, most) {
      return days.map(({ accountId, day }) => {
        const facts = written
          .flat()
          .filter((fact) => fact.accountId === accountId && fact.suspect === '' && fact.plays > 0)
          .filter(({ slotStart }) => slotStart >= day - 7 * dayMs && slotStart < day);
        const values = openColumns.map((column) => {
          const named = facts
            .map((fact) => [valueIn(fact, column), Math.floor(fact.slotStart / dayMs)] as const)
            .filter(([value]) => !/(^|\n)(Other|Unknown)?$/.test(value));
          const byValue = [...Map.groupBy(named, ([value]) => value)].map(([value, all]) => {
            return { value, days: new Set(all.map(([, of]) => of)).size, plays: all.length };
          });
          byValue.sort((one, other) => other.days - one.days || other.plays - one.plays);
          return [column, byValue.slice(0, most).map(({ value }) => value)];
        });
        return { accountId, day, values: Object.fromEntries(values) };
      });
    },
  };
}

function valueIn(fact: Fact, column: (typeof openColumns)[number]): string {
  const { os, osVersion, details, quality } = fact;
  if (column === 'osVersion') return os + betweenVersions + osVersion;
  if (column === 'mediaHost') return quality?.mediaHost ?? '';
  if (column === 'error') return quality?.wait?.error ?? '';
  const { attributes = {} } = details ?? {};
  const { [column]: value = '', browser = '' } = attributes;
  if (value === '' || column !== 'browserVersion') return value;
  return browser + betweenVersions + value;
}
