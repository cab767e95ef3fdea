import { afterEach, expect, test, vi } from 'vitest';
import { askPlatform } from './platform.ts';

/** The browser's answer, or its lack. */
function setUserAgentData(value: unknown): void {
  Object.defineProperty(navigator, 'userAgentData', { value, configurable: true });
}
afterEach(() => {
  setUserAgentData(undefined);
  vi.unstubAllGlobals();
});

test('asks for the version of the platform, and takes nothing else', async () => {
  const asked: unknown[] = [];
  setUserAgentData({
    getHighEntropyValues: async (hints: unknown) => {
      asked.push(hints);
      return { platform: 'Windows', platformVersion: '15.0.0', mobile: false, brands: [] };
    },
  });
  expect(await askPlatform()).toEqual({ platform: 'Windows', platformVersion: '15.0.0' });
  expect(asked).toEqual([['platformVersion']]);
});

test.each([
  { browser: 'without the interface', value: undefined },
  { browser: 'with half of it', value: {} },
  { browser: 'that refuses', value: { getHighEntropyValues: () => Promise.reject(new Error()) } },
])('a browser $browser says nothing', async ({ value }) => {
  setUserAgentData(value);
  await expect(askPlatform()).rejects.toThrow();
});

test('a browser that does not answer is not waited for', async () => {
  setUserAgentData({ getHighEntropyValues: () => new Promise(() => {}) });
  await expect(askPlatform()).rejects.toBeUndefined();
});

test.each([
  { device: 'an iPad that says it is a Mac', platform: 'MacIntel', touches: 5, said: 'iPadOS' },
  { device: 'a Mac', platform: 'MacIntel', touches: 0, said: undefined },
  { device: 'a PC with a touch screen', platform: 'Win32', touches: 10, said: undefined },
])('$device is $said', async ({ platform, touches, said }) => {
  vi.stubGlobal('navigator', { platform, maxTouchPoints: touches });
  const answer = await askPlatform().catch(() => undefined);
  expect(answer?.platform).toBe(said);
});
