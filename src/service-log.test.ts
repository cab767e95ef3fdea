import { expect, test } from 'vitest';
import { manualClock } from '../test/support/manual-clock.ts';
import { createLog } from './service-log.ts';
import { Fault } from './wire/faults.ts';

function open(level = 'info') {
  const clock = manualClock();
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { clock, lines, log: createLog({ level, clock, stream }) };
}

const away = () =>
  new Fault('UNAVAILABLE', 'The store does not answer', { cause: new Error('ECONNREFUSED') });

test('an outage is one line a second, with its reason and without a stack', () => {
  const { clock, lines, log } = open();
  const part = log.child({ part: 'requests' });
  for (let ms = 0; ms <= 1_000; ms += 100) {
    log.error({ err: away() }, 'roll-up failed');
    part.warn({ err: away(), requests: 3 }, 'not available');
    clock.advance(100);
  }
  const reason = 'The store does not answer: ECONNREFUSED';
  expect(lines).toMatchObject([
    { msg: 'roll-up failed', reason, level: 50 },
    { msg: 'roll-up failed', reason, leftOut: 19 },
  ]);
  expect(lines[0]).not.toHaveProperty('leftOut');
  expect(JSON.stringify(lines)).not.toContain('    at ');
  clock.advance(1_000);
  part.warn({ err: away(), requests: 3 }, 'not available');
  expect(lines[2]).toMatchObject({
    msg: 'not available',
    part: 'requests',
    requests: 3,
    leftOut: 1,
  });
});

test('everything else is written as it comes, mistakes with their stack', () => {
  const { lines, log } = open();
  log.error({ err: away() }, 'away');
  log.error({ err: new Fault('INTERNAL', 'ours') }, 'request failed');
  log.error({ err: new TypeError('ours') }, 'request failed');
  log.info('engine is ready');
  log.debug('not at this level');
  expect(lines.map(({ msg }) => msg)).toEqual([
    'away',
    'request failed',
    'request failed',
    'engine is ready',
  ]);
  expect(JSON.stringify(lines[2])).toContain('    at ');
});

test('whatever a message holds, it is one line, and only that', () => {
  const written: string[] = [];
  const stream = { write: (line: string) => void written.push(line) };
  const log = createLog({ level: 'info', clock: manualClock(), stream });
  const forged = 'x\n{"level":30,"msg":"engine is ready"}\r\u001b[2J';
  log.warn({ reason: forged }, 'away');
  expect(written.join('').split('\n')).toHaveLength(2);
  expect(written.join('')).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(JSON.parse(written.join(''))).toMatchObject({ reason: forged, msg: 'away' });
});
