import type { OperatingSystemName } from './operating-system-names.ts';

/** First and last major, both included. */
type Majors = readonly [first: number, last: number];

/** Apple named all its systems after the year from 26 on; nothing was released in between. */
const sinceAppleCountsYears: Majors = [26, 30];

/**
 * The versions that a name can have: ranges of majors, with room for the releases of the next few
 * years, and whole versions. Anything else was not read from a system but from an app, a model or
 * a forgery, and is `Unknown`.
 */
export const releasedVersions: Readonly<Record<OperatingSystemName, readonly (Majors | string)[]>> =
  {
    Android: [[0, 20]],
    Bada: [[1, 2]],
    BlackBerry: [[1, 10]],
    Chromecast: [[1, 5]],
    ChromeOS: [[4, 250]],
    'Fire OS': [
      [1, 8],
      [14, 18],
    ],
    'Firefox OS': [[1, 2]],
    FreeBSD: [[1, 20]],
    Fuchsia: [[1, 50]],
    Haiku: [[1, 2]],
    HarmonyOS: [[1, 10]],
    'Horizon OS': [[1, 150]],
    iOS: [[1, 18], sinceAppleCountsYears],
    iPadOS: [[13, 18], sinceAppleCountsYears],
    KaiOS: [[1, 5]],
    Linux: [[1, 10]],
    macOS: [[10, 15], sinceAppleCountsYears],
    MeeGo: [[1, 1]],
    NetBSD: [[1, 14]],
    NetCast: [[1, 5]],
    'Nintendo 3DS': [[1, 11]],
    'Nintendo DS': [[1, 1]],
    'Nintendo Switch': [[1, 30]],
    'Nintendo Switch 2': [[1, 30]],
    OpenBSD: [[2, 10]],
    PlayStation: [[1, 6]],
    'PlayStation Portable': [[1, 6]],
    'PlayStation Vita': [[1, 3]],
    Roku: [[1, 20]],
    'Sailfish OS': [[1, 8]],
    'Series 40': [[1, 6]],
    SmartCast: [[1, 10]],
    Solaris: [[2, 11]],
    Symbian: [[1, 10]],
    'Titan OS': [[1, 8]],
    'TiVo OS': [[1, 8]],
    Tizen: [[1, 14]],
    tvOS: [[4, 18], sinceAppleCountsYears],
    'Ubuntu Touch': [[12, 30]],
    Unknown: [],
    'Vega OS': [[1, 8]],
    VIDAA: [[1, 14]],
    visionOS: [[1, 2], sinceAppleCountsYears],
    watchOS: [[1, 11], sinceAppleCountsYears],
    webOS: [
      [1, 6],
      [22, 30],
    ],
    'Whale OS': [[1, 14]],
    Wii: [[1, 4]],
    'Wii U': [[1, 5]],
    Windows: [
      ...['3.1', '95', '98', 'ME', 'NT 3.11', 'NT 4.0', '2000', 'XP', 'Vista', 'RT'],
      ...['7', '8', '8.1', '10', '11', '12'],
    ],
    'Windows CE': [[1, 8]],
    'Windows Phone': [[5, 10]],
    Xbox: ['360', 'One', 'Series S', 'Series X'],
  };

/** Whether `version` is one that people call by a word, or else by exactly this number. */
export function isWholeVersion(name: OperatingSystemName, version: string): boolean {
  return releasedVersions[name].includes(version);
}

/** Whether a release of this number, in digits and dots, is plausible. */
export function isReleased(name: OperatingSystemName, version: string): boolean {
  if (isWholeVersion(name, version)) return true;
  const major = Number.parseInt(version, 10);
  return releasedVersions[name].some(
    (entry) => typeof entry !== 'string' && major >= entry[0] && major <= entry[1],
  );
}
