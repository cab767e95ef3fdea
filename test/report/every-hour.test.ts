/** The rows of hours around every change of the clock since 1980, in every zone of the runtime. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type ClockOffset, clockOffsets } from '../../src/lib/time/time-zone.ts';
import { localIntervals } from '../../src/query/concurrency/local-intervals.ts';
import { isOneOfSql, keysSql } from '../../src/query/labels/dimension-sql.ts';
import { listIntervals, timeLabels } from '../../src/query/labels/time-labels.ts';
import { hourIn } from '../../src/query/parse/filter-parser.ts';
import { clockParameters } from '../../src/query/ranges/local-clock.ts';
import { findClock, type LocalSpan, spansAt } from '../../src/query/ranges/local-days.ts';
import { brokenHours, hourStarts } from '../../src/query/ranges/local-hours.ts';
import { useNewStore } from '../support/use-new-store.ts';
import { zoneSets } from '../support/zones.ts';

const slotMs = 900_000;
const hourMs = 4 * slotMs;
const dayMs = 24 * hourMs;
/** Until 1979 Pacific/Kiritimati was 10:40 from UTC, so that no slot began with an hour. */
const sinceMs = Date.UTC(1980, 0, 1);
const endMs = Date.UTC(2030, 0, 1);

/** The days around a change, in one zone that has it. */
interface Change {
  readonly zone: string;
  readonly day: string;
  readonly spans: readonly LocalSpan[];
}

const nameOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Those that differ: most are alike but for their day. */
function findChanges(zones: readonly string[]): Change[] {
  const changes = new Map<string, Change>();
  for (const zone of zones) {
    const offsets = clockOffsets(zone, sinceMs, endMs);
    for (const { sinceMs: changeMs } of offsets.slice(1)) {
      const day = Math.floor(changeMs / dayMs) * dayMs;
      const near = offsets.filter(
        (one, at) =>
          one.sinceMs < day + 4 * dayMs && (offsets[at + 1]?.sinceMs ?? endMs) > day - 3 * dayMs,
      );
      const form = near.map((one: ClockOffset) => [
        Math.max(one.sinceMs - day, -3 * dayMs),
        one.offsetMs,
      ]);
      const spans = spansAt(nameOf(day - dayMs), nameOf(day + dayMs), near, day + 3 * dayMs);
      const change = { zone, day: nameOf(day), spans };
      if (!changes.has(String(form))) changes.set(String(form), change);
    }
  }
  return [...changes.values()];
}

interface HourRow {
  readonly label: string;
  readonly slots: readonly number[];
}

const slotsOf = ({ fromMs, untilMs }: LocalSpan): number[] =>
  Array.from({ length: (untilMs - fromMs) / slotMs }, (_, index) => fromMs + index * slotMs);

/** In the order of their first slots. */
function rowsOf(spans: readonly LocalSpan[]): HourRow[] {
  const startOf = hourStarts(findClock(spans));
  const read = timeLabels('hour', { firstDay: '1980-01-01', spans });
  const slots = spans.flatMap((span) =>
    slotsOf(span).map((slot) => {
      const { localMs, offsetMs } = startOf(slot, span.offsetMs);
      return { slot, label: String(read([`${localMs / 1_000}`, `${offsetMs / 1_000}`]).value) };
    }),
  );
  const rows = Map.groupBy(slots, ({ label }) => label);
  return [...rows].map(([label, own]) => ({ label, slots: own.map(({ slot }) => slot) }));
}

const made = useNewStore();

describe.each(zoneSets)('of $which', ({ zones, tags }) => {
  let changes: Change[];
  beforeAll(() => {
    changes = findChanges(zones);
  });
  const wrongOf = async (faults: (change: Change) => Promise<string[]> | string[]) => {
    const found = await Promise.all(
      changes.map(async (one) =>
        (await faults(one)).map((text) => `${one.zone} ${one.day} ${text}`),
      ),
    );
    return found.flat();
  };

  test('labels ascend, and are the instants at which their rows begin', { tags }, async () => {
    expect(changes.length).toBeGreaterThan(zones.length / 2);
    const wrong = await wrongOf(({ spans }) => {
      const rows = rowsOf(spans);
      const starts = rows.map(({ label }) => Date.parse(label));
      return rows.flatMap(({ label, slots }, index) => [
        ...(slots[0] === starts[index] ? [] : [`${label} begins elsewhere`]),
        ...(Number(starts[index - 1] ?? 0) < Number(starts[index]) ? [] : [`${label} falls`]),
      ]);
    });
    expect(wrong).toEqual([]);
  });

  test('a filter finds what a row is called, and nothing within an hour', { tags }, async () => {
    const wrong = await wrongOf(({ zone, spans }) => {
      if (brokenHours(findClock(spans)).length === 0) return [];
      return rowsOf(spans).flatMap(({ label, slots }) => [
        ...(hourIn(zone, label) === label ? [] : [`${label} is not found`]),
        ...slots.slice(1).flatMap((slot) => hourIn(zone, new Date(slot).toISOString()) ?? []),
      ]);
    });
    expect(wrong).toEqual([]);
  });

  test('rows share out the time, and none is a part of an hour that another shows', {
    tags,
  }, async () => {
    const wrong = await wrongOf(({ spans }) => {
      const rows = rowsOf(spans);
      const shared = rows.flatMap(({ slots }) => slots).toSorted((one, other) => one - other);
      const partial = rows.filter(({ label }) => !label.slice(13).startsWith(':00'));
      return [
        ...(String(shared) === String(spans.flatMap(slotsOf)) ? [] : ['other slots']),
        ...partial.flatMap(({ label }) =>
          rows.some((row) => row.label !== label && row.label.startsWith(label.slice(0, 13)))
            ? [`${label} is shown before`]
            : [],
        ),
      ];
    });
    expect(wrong).toEqual([]);
  });

  test('the same rows are filled in, and are those of the curve', { tags }, async () => {
    const wrong = await wrongOf(async ({ spans }) => {
      const calendar = { firstDay: '1980-01-01', spans };
      const read = timeLabels('hour', calendar);
      const rows = rowsOf(spans);
      const filled = (await listIntervals('hour', calendar, [])).map((keys) => read(keys).value);
      const curve = await localIntervals('hour', spans);
      const drawn = curve.map(({ time, lengthMs }) => `${time} ${lengthMs / slotMs}`);
      return [
        ...(String(filled) === String(rows.map(({ label }) => label)) ? [] : ['filled otherwise']),
        ...(String(drawn) === String(rows.map(({ label, slots }) => `${label} ${slots.length}`))
          ? []
          : ['drawn otherwise']),
      ];
    });
    expect(wrong).toEqual([]);
  });

  test('an hour of a day has one row in v1, whatever is shown twice', { tags }, async () => {
    const wrong = await wrongOf(async ({ spans }) => {
      const labels = await listIntervals('hourOfDay', { firstDay: '', spans }, []);
      const shown = spans.flatMap((span) =>
        slotsOf(span).map((slot) => new Date(slot + span.offsetMs).getUTCHours()),
      );
      return String(labels) === String([...new Set(shown)]) ? [] : ['other hours'];
    });
    expect(wrong).toEqual([]);
  });

  test('the store groups and filters in the same way', { tags }, async () => {
    const broken = changes.filter(({ spans }) => brokenHours(findClock(spans)).length > 0);
    expect(broken.length).toBeGreaterThan(10);
    for (const { zone, day, spans } of broken) {
      const clock = findClock(spans);
      const [local, offset] = keysSql('hour', { clock, labels: new Map(), shiftSeconds: 0 });
      const slots = spans.flatMap(slotsOf).map((ms) => ms / 1_000);
      const rows = rowsOf(spans);
      const label = rows.find(({ slots: own }) => own.length !== 4)?.label ?? '';
      const filter = isOneOfSql('hour', { clock, labels: new Map() }, [label], 'wanted');
      const found = await made().rows<{
        local: number;
        offset: number;
        slots: number[];
        fits: number;
      }>(
        `SELECT ${local} AS local, ${offset} AS offset, groupArray(toUnixTimestamp(slot)) AS slots,
         max(${filter.sql}) AS fits
       FROM (SELECT arrayJoin(arrayMap(at -> toDateTime(at, 'UTC'), {slots:Array(UInt32)})) AS slot)
       GROUP BY local, offset ORDER BY slots[1]`,
        { ...clockParameters(clock), ...filter.parameters, slots },
      );
      const read = timeLabels('hour', { firstDay: day, spans });
      const stored = found.map((row) => ({
        label: read([`${row.local}`, `${row.offset}`]).value,
        slots: row.slots.map((seconds) => seconds * 1_000),
      }));
      expect(stored, `${zone} ${day}`).toEqual(rows);
      expect(
        found.map(({ fits }) => fits === 1),
        label,
      ).toEqual(rows.map((row) => row.label === label));
    }
  });
});
