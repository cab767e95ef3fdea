/**
 * Waits from the messages that players sent in a real browser, as recorded: the keys that nothing
 * is read of are left out, and times are from the moment at which the page loaded the player.
 */
import { expect, test } from 'vitest';
import type { PlayerEvent } from '../../../store/facts.ts';
import { readCmcdEvent } from './cmcd-event.ts';
import { orderView } from './view-context.ts';
import { waitsTouching } from './view-waits.ts';

/** Messages as `sn@ts` and their keys. */
function eventsOf(messages: string): PlayerEvent[] {
  return messages
    .trim()
    .split(/\s*\n\s*/)
    .map((message) => {
      const [, sn, ts, keys] = /^(\d+)@(\d+) (.*)$/.exec(message) ?? [];
      const event = readCmcdEvent(`${keys},sid="one",sn=${sn},ts=${ts},v=2`);
      if (!event.ok) throw new Error(message);
      const { session: view, ...told } = event.value;
      return { accountId: 1, view, arrivalMs: 0, ...told };
    });
}

function waitsOf(reported: readonly PlayerEvent[], log = reported) {
  return [...waitsTouching(orderView(reported, log))]
    .flat()
    .map(({ from, cause, outcome, waitMs, error, isTakenBack }) =>
      isTakenBack
        ? `${cause}@${from.momentMs} taken back`
        : `${cause}@${from.momentMs} ${outcome} ${waitMs}${error ? ` ${error}` : ''}`,
    );
}

test.each<[string, string, string[]]>([
  [
    'hls.js: a start by a click, a stall, a pause, a seek, and a seek while it is paused',
    `0@6 e=t,sf=h
    1@10 e=ps,sf=h,sta=d
    2@808 br=(300),e=bc,sf=h,sta=d
    3@1550 br=(300),e=ps,sf=h,st=v,sta=s
    4@1851 br=(300),e=ps,sf=h,st=v,sta=p
    5@2010 br=(300),e=t,sf=h,st=v,sta=p
    6@5630 br=(300),e=ps,sf=h,st=v,sta=r
    7@6009 br=(300),e=t,sf=h,st=v,sta=r
    8@8009 br=(300),e=t,sf=h,st=v,sta=r
    9@9012 br=(300),e=ps,sf=h,st=v,sta=p
    10@11129 br=(300),e=ps,sf=h,st=v,sta=a
    11@11841 br=(300),e=ps,sf=h,st=v,sta=p
    12@12657 br=(300),e=ps,sf=h,st=v,sta=k
    13@12660 br=(300),e=ps,sf=h,st=v,sta=r
    14@14163 br=(300),e=ps,sf=h,st=v,sta=p
    15@16161 br=(300),e=ps,sf=h,st=v,sta=a
    16@16162 br=(300),e=ps,sf=h,st=v,sta=k
    17@16177 br=(300),e=ps,sf=h,st=v,sta=a
    18@16877 br=(300),e=ps,sf=h,st=v,sta=p`,
    ['start@1550 played 301', 'stall@5630 played 3382', 'seek@12657 played 1506'],
  ],
  [
    'hls.js: a start by itself',
    `0@6 e=t,sf=h
    1@18 e=ps,sf=h,sta=d
    2@27 e=ps,sf=h,sta=s
    3@806 br=(300),e=bc,sf=h,sta=s
    4@914 br=(300),e=ps,sf=h,st=v,sta=p`,
    ['start@27 played 887'],
  ],
  [
    'hls.js: a start that fails',
    `0@5 e=t,sf=h
    1@9 e=ps,sf=h,sta=d
    2@13 e=ps,sf=h,sta=s
    3@20 e=ps,sf=h,sta=f
    4@21 e=e,ec=("manifestLoadError"),sf=h,sta=f
    5@2005 e=t,sf=h,sta=f`,
    ['start@13 failed 7 manifestLoadError'],
  ],
  [
    'hls.js: a start of which nothing more is heard',
    `0@6 e=t,sf=h
    1@10 e=ps,sf=h,sta=d
    2@1525 e=ps,sf=h,st=v,sta=s
    3@2012 e=t,sf=h,st=v,sta=s
    4@4012 e=t,sf=h,st=v,sta=s`,
    ['start@1525 waiting 2487'],
  ],
  [
    'hls.js: a failure before anybody asked it to play is none of the start',
    `0@5 e=t,sf=h
    1@8 e=ps,sf=h,sta=d
    2@20 e=ps,sf=h,sta=f
    3@21 e=e,ec=("manifestLoadError"),sf=h,sta=f
    4@34 e=ps,sf=h,sta=s
    5@2005 e=t,sf=h,sta=s`,
    ['error@20 failed 1971 manifestLoadError', 'start@34 waiting 1971'],
  ],
  [
    'hls.js: a start that is given up, asked for again, and fails at first',
    `0@6 e=t,sf=h
    1@10 e=ps,sf=h,sta=d
    2@120006 e=t,sf=h,sta=d
    3@150000 e=ps,sf=h,sta=s
    4@150500 e=ps,sf=h,sta=a
    5@152000 e=ps,sf=h,sta=s
    6@152300 e=ps,sf=h,sta=f
    7@153000 e=ps,sf=h,sta=s
    8@153400 e=ps,sf=h,sta=p`,
    // The store makes one of them, with the first beginning and the longest wait.
    ['start@150000 played 1200', 'start@152000 played 700'],
  ],
  [
    'dash.js: its start holds idle time, so it tells none; `w` is part of a seek',
    `0@18 e=t
    1@20 e=ps,sta=s
    2@1534 br=(55;v 65;a),e=ps,pb=(55;v 65;a),sf=d,st=v,sta=p
    3@2018 e=t,msd=462,sf=d,st=v,sta=p
    4@11036 br=(55;v 65;a),e=ps,sf=d,st=v,sta=a
    5@11742 br=(55;v 65;a),e=ps,sf=d,st=v,sta=p
    6@12543 br=(55;v 65;a),e=ps,sf=d,st=v,sta=k
    7@12544 br=(55;v 65;a),e=ps,sf=d,st=v,sta=w
    8@12874 br=(55;v 65;a),e=ps,sf=d,st=v,sta=p
    9@16046 br=(55;v 65;a),e=ps,sf=d,st=v,sta=a
    10@16047 br=(55;v 65;a),e=ps,sf=d,st=v,sta=k
    11@16757 br=(55;v 65;a),e=ps,sf=d,st=v,sta=p`,
    ['seek@12543 played 331'],
  ],
  [
    'dash.js: what it waits for before it first plays is no stall',
    `0@12 e=t
    1@14 e=ps,sta=s
    2@64 br=(55;v 65;a),e=ps,msd=51,sf=d,st=v,sta=r
    3@384 br=(55;v 65;a),e=ps,sf=d,st=v,sta=p
    4@2012 e=t,sf=d,st=v,sta=r
    5@2612 e=ps,sf=d,st=v,sta=p`,
    ['stall@2012 played 600'],
  ],
  [
    'dash.js: an error without a state is no failure',
    `0@13 e=t
    1@14 e=ps,sta=s
    2@1545 e=e,ec=25,msd=1531,sta=s
    3@2020 e=t,ec=25,sta=s`,
    [],
  ],
  [
    'Shaka Player: it plays once it has buffered, so it tells no start',
    `0@6 e=t
    1@23 e=ps,sta=r
    2@821 br=(120),e=bc,sf=d,st=v,sta=r
    3@893 br=(120),e=ps,sf=d,st=v,sta=p
    4@2010 br=(120),e=t,msd=1500,sf=d,st=v,sta=p
    5@11023 br=(120),e=ps,sf=d,st=v,sta=a
    6@11727 br=(120),e=ps,sf=d,st=v,sta=p
    7@12529 br=(120),e=ps,sf=d,st=v,sta=k
    8@12531 br=(120),e=ps,sf=d,st=v,sta=r
    9@12868 br=(120),e=ps,sf=d,st=v,sta=p
    10@16031 br=(120),e=ps,sf=d,st=v,sta=a
    11@16036 br=(120),e=ps,sf=d,st=v,sta=k
    12@16040 br=(120),e=ps,sf=d,st=v,sta=r
    13@16382 br=(120),e=ps,sf=d,st=v,sta=p`,
    ['seek@12529 played 339'],
  ],
  [
    'Shaka Player: an error has no code',
    `0@5 e=t
    1@18 e=ps,sta=r
    2@89 br=(120),e=ps,sf=d,st=v,sta=p
    3@4800 br=(120),e=ps,sf=d,st=v,sta=f
    4@4800 br=(120),e=e,sf=d,st=v,sta=f`,
    ['error@4800 failed 0'],
  ],
])('%s', (_name, messages, waits) => {
  expect(waitsOf(eventsOf(messages))).toEqual(waits);
});

/** A start from 0 to 500, and what follows: `STATE@TS`, with further keys behind it. */
function startedThen(states: string): PlayerEvent[] {
  const messages = `s@0,sf=h p@500 ${states}`.split(' ').map((event, number) => {
    const [, state, ts, keys] = /^(\w)@(\d+)(.*)$/.exec(event) ?? [];
    return `${number}@${ts} sta=${state}${keys}`;
  });
  return eventsOf(messages.join('\n'));
}

test.each<[string, string, string[]]>([
  [
    'a pause is not waited for, and neither is what is sought in it',
    'r@1000 a@1200 k@5000 a@5700 r@9000 p@9400',
    ['stall@1000 played 600'],
  ],
  ['what runs dry when a pause ends is a stall', 'a@1000 r@9000 p@9400', ['stall@9000 played 400']],
  [
    'a seek that comes into a stall is of the stall',
    'r@1000 k@1400 p@1900',
    ['stall@1000 played 900'],
  ],
  [
    'a stall of less than a tenth of a second is none, unless it fails',
    'r@1000 p@1099 r@2000 f@2099 f@2100,e=e,ec=("bufferStalledError")',
    ['stall@2000 failed 99 bufferStalledError'],
  ],
  [
    'a stall that failed is one, however short it is and though it is got over',
    'r@1000 f@1040 s@1040,sf=h p@1080',
    ['stall@1000 played 80'],
  ],
  [
    'a failure that is got over has played',
    'p@1000,e=e,ec=3016 f@1001 s@4000,sf=h p@4500',
    ['error@1001 played 500 3016'],
  ],
  ['who quits has left', 'r@1000 q@3000 p@4000', ['stall@1000 left 2000']],
  [
    'what is silent for longer than 90 seconds was asleep',
    'k@1000 k@91000 p@181001',
    ['seek@1000 waiting 90000'],
  ],
  [
    'a wait is followed for three and a half minutes',
    'k@1000 k@80000 k@160000 p@211001',
    ['seek@1000 waiting 159000'],
  ],
  [
    'a response in between is passed over',
    'p@1000 p@900,e=rr r@1100 r@1050,e=rr r@1150 p@1300',
    ['stall@1100 played 200'],
  ],
])('%s', (_name, states, waits) => {
  expect(waitsOf(startedThen(states))).toEqual(['start@0 played 500', ...waits]);
});

test('of more events than a player sends, none are walked', () => {
  const many = (state: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${state}@${1_000 + index}`).join(' ');
  const lastOf = (states: string) => waitsOf(startedThen(states)).at(-1);
  expect(lastOf(`${many('a', 98)} r@20000 p@20500`)).toBe('stall@20000 played 500');
  expect(lastOf(`${many('a', 100)} r@20000 p@20500`)).toBe('start@0 played 500');
  expect(lastOf(many('r', 302))).toBe('stall@1000 waiting 300');
});

test('what is missing before a wait leaves it out, and within it its time', () => {
  const all = startedThen('p@1000 r@2000 r@2500 p@3000');
  const without = (...numbers: number[]) =>
    waitsOf(all.filter(({ sequence }) => !numbers.includes(sequence))).slice(1);
  expect(without()).toEqual(['stall@2000 played 1000']);
  expect(without(2)).toEqual([]);
  expect(without(4)).toEqual([]);
  expect(without(5)).toEqual(['stall@2000 waiting 500']);
});

test('a wait is told again by whoever reports a part of it, and nobody else', () => {
  const log = startedThen('p@1000 r@2000 r@2500 p@3000 p@4000');
  const told = log.map((event) => waitsOf([event], log).join());
  const [start, stall] = ['start@0 played 500', 'stall@2000 played 1000'];
  expect(told).toEqual([start, start, stall, stall, stall, stall, '']);
});

test('where a load may have mixed with another, waits near it are taken back once', () => {
  const log = [...startedThen('r@2000 p@2500'), ...eventsOf('1@400000 e=ps,sta=k')];
  const again = (momentMs: number, arrivalMs: number) =>
    eventsOf(`2@${momentMs} e=ps,sta=p`).map((event) => ({ ...event, arrivalMs }));
  const takenBack = ['start@0 taken back', 'stall@2000 taken back'];
  const reported = again(100_000, 5);
  expect(waitsOf(reported, [...log, ...reported])).toEqual(takenBack);
  // Sent again after a crash, it may not have been told.
  expect(waitsOf(again(100_000, 9), [...log, ...reported])).toEqual(takenBack);
  const later = again(110_000, 9);
  expect(waitsOf(later, [...log, ...reported, ...later])).toEqual([]);
  const far = again(212_001, 9);
  expect(waitsOf(far, [...log, ...far])).toEqual([]);
});
