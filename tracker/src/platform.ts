/**
 * The system that the browser runs on. The User-Agent of Chromium is frozen and shows Windows 11 as
 * 10, every macOS as 10.15.7; the page itself may ask for more.
 */
export interface Platform {
  platform?: string;
  platformVersion?: string;
}

interface UserAgentData {
  getHighEntropyValues(hints: readonly string[]): Promise<Platform>;
}

/** Empty where the browser does not say: not Chromium, or a page over plain http. */
export async function askPlatform(): Promise<Platform> {
  try {
    const { userAgentData } = navigator as unknown as { userAgentData: UserAgentData };
    // Brands and others come along: they are not sent.
    const { platform, platformVersion } = await userAgentData.getHighEntropyValues([
      'platformVersion',
    ]);
    return { platform, platformVersion } as Platform;
  } catch {
    return {};
  }
}
