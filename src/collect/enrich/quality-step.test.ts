import { expect, test } from 'vitest';
import type { FactQuality } from '../../store/facts.ts';
import type { Draft } from '../draft.ts';
import { setQuality } from './quality-step.ts';

const step = setQuality();

function kept(quality: FactQuality | undefined) {
  const draft = {
    ...{ view: 'v', stretch: 0, atMs: 0, playMs: 0, plays: 0, device: {}, facts: [] },
    quality,
  } satisfies Draft as Draft;
  expect(step.run(draft, { sender: {}, nowMs: 0 })).toBeUndefined();
  return draft.quality;
}

test.each([
  ['cdn1.example', 'cdn1.example'],
  ['CDN1.example:8443', 'cdn1.example:8443'],
  ['[2001:db8::1]', '[2001:db8::1]'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['https://cdn1.example/', undefined],
  ['user@cdn1.example', undefined],
  ['cdn1.example/path', undefined],
  ['two words', undefined],
  ['', undefined],
])('of the media host %j is kept %j', (mediaHost, host) => {
  expect(kept({ mediaHost })?.mediaHost || undefined).toBe(host);
});

test.each([
  ['3016', '3016'],
  ['MEDIA_ERR_DECODE', 'MEDIA_ERR_DECODE'],
  ['manifestLoadError', 'manifestLoadError'],
  ['Other', 'other'],
  ['<b>', undefined],
  ['two words', undefined],
  ['x'.repeat(65), undefined],
])('of the error %j is kept %j', (error, code) => {
  const wait = { cause: 'error', outcome: 'failed', waitMs: 5, error } as const;
  expect(kept({ wait })).toEqual({ mediaHost: undefined, wait: { ...wait, error: code } });
});

test('what is told of a stretch stays, and what tells nothing stays so', () => {
  expect(kept({ frames: 9, droppedFrames: 1 })).toMatchObject({ frames: 9, droppedFrames: 1 });
  expect(kept(undefined)).toBeUndefined();
});
