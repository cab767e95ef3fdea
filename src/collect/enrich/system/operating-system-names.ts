/**
 * Every operating system that the statistics can name. The list is closed: a stranger's User-Agent
 * can select one of these rows, but never add one.
 */
const broaderPlatforms = {
  Android: [],
  Bada: [],
  BlackBerry: [],
  Chromecast: ['Linux', 'Android'],
  ChromeOS: ['Linux'],
  'Fire OS': ['Android', 'Linux'],
  'Firefox OS': [],
  FreeBSD: [],
  Fuchsia: [],
  Haiku: [],
  HarmonyOS: ['Android', 'Linux'],
  'Horizon OS': ['Android', 'Linux'],
  iOS: [],
  iPadOS: ['iOS'],
  KaiOS: ['Linux'],
  Linux: [],
  macOS: [],
  MeeGo: ['Linux'],
  NetBSD: [],
  NetCast: ['Linux'],
  'Nintendo 3DS': [],
  'Nintendo DS': [],
  'Nintendo Switch': [],
  'Nintendo Switch 2': [],
  OpenBSD: [],
  PlayStation: [],
  'PlayStation Portable': [],
  'PlayStation Vita': [],
  Roku: ['Linux'],
  'Sailfish OS': ['Linux'],
  'Series 40': [],
  SmartCast: ['Linux'],
  Solaris: [],
  Symbian: [],
  'Titan OS': ['Linux'],
  'TiVo OS': ['Linux'],
  Tizen: ['Linux'],
  tvOS: ['iOS'],
  'Ubuntu Touch': ['Linux'],
  Unknown: [],
  'Vega OS': ['Linux'],
  VIDAA: ['Linux', 'Android'],
  visionOS: ['iOS'],
  watchOS: ['iOS'],
  webOS: ['Linux'],
  'Whale OS': ['Linux'],
  Wii: [],
  'Wii U': [],
  Windows: [],
  'Windows CE': [],
  'Windows Phone': ['Windows'],
  Xbox: ['Windows'],
} as const satisfies Record<string, readonly string[]>;

export type OperatingSystemName = keyof typeof broaderPlatforms;

/** `name` is one of `operatingSystemNames`; each is `Unknown` where the evidence does not say. */
export interface OperatingSystem {
  readonly name: OperatingSystemName;
  readonly version: string;
  /** 2: the name is told by a hint; 3: the version is. Absent: read from a User-Agent. */
  readonly rank?: 2 | 3;
}

export const operatingSystemNames = Object.keys(broaderPlatforms) as OperatingSystemName[];

/**
 * Whether `name` is a special kind of what the platform hint says. A Fire tablet hints `Android`
 * and an Xbox hints `Windows`: there the User-Agent does not contradict the hint, it says more.
 */
export function belongsTo(name: OperatingSystemName, platform: OperatingSystemName): boolean {
  const broader: readonly string[] = broaderPlatforms[name];
  return broader.includes(platform);
}

/** Whether `name` is a kind of nothing else: a version hint without a platform is then its own. */
export function isBroadest(name: OperatingSystemName): boolean {
  return broaderPlatforms[name].length === 0;
}
