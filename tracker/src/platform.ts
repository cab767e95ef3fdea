/**
 * The system that the browser runs on. The User-Agent of Chromium is frozen and shows Windows 11 as
 * 10, every macOS as 10.15.7; the page itself may ask for more.
 */
import type { Platform } from '../../client/src/sender/beacon.ts';

interface UserAgentData {
  getHighEntropyValues(hints: readonly string[]): Promise<Platform>;
}

/** Nothing is sent before: no view is on two systems. */
const answerLimitMs = 300;

/** Rejects where the browser does not say: neither Chromium nor an iPad, or a page over plain http. */
export async function askPlatform(): Promise<Platform> {
  // Safari on an iPad says that it is on a Mac, of which none has a touch screen.
  if (/Mac/.test(navigator.platform) && navigator.maxTouchPoints > 1) {
    return { platform: 'iPadOS' };
  }
  // Brands and others come along: they are not sent.
  const { platform, platformVersion } = await Promise.race([
    (navigator as unknown as { userAgentData: UserAgentData }).userAgentData.getHighEntropyValues([
      'platformVersion',
    ]),
    new Promise<never>((_, reject) => setTimeout(reject, answerLimitMs)),
  ]);
  return { platform, platformVersion };
}
