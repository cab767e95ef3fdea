import { expect, test, vi } from 'vitest';
import { longestLine, readCmcdEvent } from './cmcd-event.ts';

const line = (more = '', parts = 'sid="one",sn=4,ts=1000') => `e=ps,${parts}${more},v=2`;

test.each([
  [line(',sta=p'), 'playing'],
  [line(',sta=a'), 'resting'],
  [line(''), 'resting'],
  [line(',msd=120'), 'started'],
  [line(',sta=s'), 'resting'],
  [line(',sta=s,msd=120'), 'resting'],
  [line(',sta=s,sf=h'), 'starting'],
  [line(',sta=k'), 'seeking'],
  [line(',sta=r'), 'stalled'],
  [line(',sta=w'), 'waiting'],
  [line(',sta=f'), 'failed'],
  [line(',sta=q'), 'quit'],
  [line(',sta=d'), 'resting'],
  [line(',sta=e'), 'resting'],
  [line(',sta=toString'), 'resting'],
  [line(',sta=p,msd=120'), 'playing'],
  ['e=rr,sid="one",sn=4,sta=p,ts=1000,v=2', 'untimed'],
  ['e=t,sid="one",sn=4,sta=p,ts=1000,v=2', 'playing'],
])('%s: %s', (text, state) => {
  expect(readCmcdEvent(text)).toEqual({
    ok: true,
    value: { session: 'one', sequence: 4, momentMs: 1_000, state },
  });
});

test.each<[string, object]>([
  ['e=e,sta=f,ec=("manifestLoadError" "b")', { state: 'failed', error: 'manifestLoadError' }],
  ['e=e,sta=s,sf=d,ec=25', { state: 'starting', error: '25' }],
  ['e=e,sta=f', { state: 'failed' }],
  ['e=e,sta=f,ec=("")', { state: 'failed' }],
  ['e=e,sta=f,ec=("two words")', { state: 'failed' }],
  ['e=e,sta=f,ec=("Other")', { state: 'failed', error: 'other' }],
  [`e=e,sta=f,ec=("${'x'.repeat(65)}")`, { state: 'failed', error: 'x'.repeat(64) }],
  // dash.js repeats it.
  ['e=t,sta=p,ec=25', { state: 'playing' }],
  ['e=ps,sta=p,st=v', { state: 'playing', streamType: 'vod' }],
  ['e=ps,sta=p,st=l', { state: 'playing', streamType: 'live' }],
  ['e=ps,sta=p,st=ll', { state: 'playing', streamType: 'live' }],
  ['e=ps,sta=p,st=toString', { state: 'playing' }],
  ['e=t,sta=p,br=(300)', { state: 'playing', bitrate: 300, rate: 1 }],
  ['e=t,sta=p,br=300,pr=1.25', { state: 'playing', bitrate: 300, rate: 1.25 }],
  ['e=t,sta=p,br=(900;v 65;a),pb=(55;v 65;a)', { state: 'playing', bitrate: 120, rate: 1 }],
  ['e=t,sta=p,br=("x" 3.6)', { state: 'playing', bitrate: 4, rate: 1 }],
  ['e=t,sta=p,br=(0)', { state: 'playing' }],
  ['e=t,sta=p,br=(-1)', { state: 'playing' }],
  ['e=t,sta=p,br=(400000)', { state: 'playing', bitrate: 400_000, rate: 1 }],
  ['e=t,sta=p,br=(400001)', { state: 'playing' }],
  ['e=t,sta=p,br=(300),pr=16', { state: 'playing', bitrate: 300, rate: 16 }],
  ['e=t,sta=p,br=(300),pr=17', { state: 'playing' }],
  ['e=t,sta=p,br=(300),pr=0', { state: 'playing' }],
])('%s tells', (text, told) => {
  const event = readCmcdEvent(`${text},sid="one",sn=4,ts=1000,v=2`);
  const value = { session: 'one', sequence: 4, momentMs: 1_000, ...told };
  expect(event).toEqual({ ok: true, value });
});

test.each([
  ['sid="",sn=4,ts=1000', 'sid'],
  ['sn=4,ts=1000', 'sid'],
  [`sid="${'x'.repeat(129)}",sn=4,ts=1000`, 'sid'],
  ['sid=7,sn=4,ts=1000', 'sid'],
  ['sid="one",ts=1000', 'sn'],
  ['sid="one",sn=-1,ts=1000', 'sn'],
  ['sid="one",sn=4.5,ts=1000', 'sn'],
  ['sid="one",sn=4294967296,ts=1000', 'sn'],
  ['sid="one",sn="4",ts=1000', 'sn'],
  ['sid="one",sn=4', 'ts'],
  ['sid="one",sn=4,ts=-1', 'ts'],
  ['sid="one",sn=4,ts=0.5', 'ts'],
])('%s is refused for its %s', (parts, name) => {
  expect(readCmcdEvent(line('', parts))).toMatchObject({
    ok: false,
    reason: { code: 'INVALID_BEACON', detail: expect.stringContaining(`${name}: needed`) },
  });
});

test.each([
  [`sid="${'x'.repeat(128)}",sn=4,ts=1000`],
  ['sid="one",sn=4294967295,ts=1000'],
  ['sid="one",sn=0,ts=0'],
  ['sid=one,sn=0,ts=0'],
])('%s is at the border, and taken', (parts) => {
  expect(readCmcdEvent(line('', parts)).ok).toBe(true);
});

test.each([
  ['version 1', 'bl=21300,br=3200,bs,cid="film",d=4004,mtp=25400,ot=v,sf=h,sid="one",st=v,tb=6000'],
  ['version 1, which names itself', 'sid="one",v=1'],
  ['the request mode of version 2', 'br=(3200),ot=v,sid="one",sta=p,v=2'],
])('%s is told that event mode of version 2 is needed', (_, text) => {
  expect(readCmcdEvent(text)).toMatchObject({
    ok: false,
    reason: {
      code: 'INVALID_BEACON',
      detail: expect.stringContaining('event mode of version 2 is needed'),
    },
  });
});

test('what is no structured field is refused', () => {
  expect(readCmcdEvent('"')).toMatchObject({ ok: false, reason: { code: 'INVALID_BEACON' } });
});

test('a line may be as long as one in a query, and no longer', () => {
  const longOf = (length: number) => line(`,cid="${'x'.repeat(length - line(',cid=""').length)}"`);
  expect(readCmcdEvent(longOf(longestLine)).ok).toBe(true);
  expect(readCmcdEvent(longOf(longestLine + 1))).toEqual({
    ok: false,
    reason: { code: 'INVALID_BEACON', detail: `longer than ${longestLine} characters` },
  });
});

test('no token of a line is kept for ever, as a symbol of the registry would be', () => {
  const registering = vi.spyOn(Symbol, 'for');
  const tokens = [
    'e=token',
    'sta=token',
    'sta=p;com.example-note=token',
    'nor=(token token;a=token)',
  ];
  for (const token of tokens) readCmcdEvent(`${token},sid="one",sn=4,ts=1000,v=2`);
  readCmcdEvent('sid=token,sn=4,ts=1000,com.example-note=token');
  const registered = registering.mock.calls.filter(([key]) => key === 'token');
  registering.mockRestore();
  expect(registered).toEqual([]);
});
