import { expect, test } from 'vitest';
import { audienceMeasureNames, audienceMeasures } from '../../src/vocabulary/measures.ts';
import { allMeasures, isBetterLess, qualityMeasures, type Unit, unitOf } from './measures.ts';
import { en } from './messages/en.ts';

const units: Readonly<Record<string, readonly Unit[]>> = {
  '': ['count'],
  '0 to 1': ['share'],
  '1/h': ['rate'],
  'kbit/s': ['bitrate'],
};

test.each(audienceMeasureNames)('%s is written in its unit', (name) => {
  const { unit, ...about } = audienceMeasures[name];
  const ofTime = 'needs' in about && about.needs === 'waits' ? 'wait' : 'duration';
  expect(units[unit] ?? [ofTime]).toContain(unitOf[name]);
});

test.each(audienceMeasureNames)('%s is called as in mails', (name) => {
  expect(en[`measure.${name}`]).toBe(audienceMeasures[name].title);
});

test('no measure is missing, and all of quality can be charted', () => {
  expect(allMeasures).toEqual(audienceMeasureNames);
  const ofQuality = audienceMeasureNames.filter((name) => {
    const about = audienceMeasures[name];
    return 'needs' in about && about.needs === 'waits';
  });
  expect([...qualityMeasures].sort()).toEqual(ofQuality.sort());
});

test('of waits and failures less is better, of plays and bits more', () => {
  const [waits, others] = [
    ['startupP95', 'exitShare', 'failures', 'stalledTimeShare', 'droppedShare'] as const,
    ['plays', 'averageSeen', 'completions', 'attempts', 'starts', 'bitrate'] as const,
  ];
  expect(waits.map(isBetterLess)).toEqual(waits.map(() => true));
  expect(others.map(isBetterLess)).toEqual(others.map(() => false));
});
