import UAParser from 'ua-parser-js';
import type { OperatingSystemName } from '../system/operating-system-names.ts';
import { type Client, createUserAgentRecall, userAgentLimitChars } from '../user-agent-memory.ts';
import { type BrowserName, browserOfLibrary, hasMajor } from './browser-names.ts';

/** Reads the browser and the kind of device; never throws, whatever a stranger sends. */
export type ClientReader = (userAgent: string | undefined, system: OperatingSystemName) => Client;

export function createClientReader(recall = createUserAgentRecall()): ClientReader {
  return (userAgent = '', system) => {
    const { clients } = recall(userAgent);
    const known = clients.get(system);
    if (known !== undefined) return known;
    const client = read(userAgent.slice(0, userAgentLimitChars), system);
    clients.set(system, client);
    return client;
  };
}

function read(userAgent: string, system: OperatingSystemName): Client {
  const { name: browser, version: browserVersion } = readBrowser(userAgent, system);
  return Object.freeze({ device: readDeviceKind(userAgent, system), browser, browserVersion });
}

/** Each is empty where the User-Agent does not say. */
interface Browser {
  readonly name: BrowserName | '';
  readonly version: string;
}

const unknownBrowser: Browser = { name: '', version: '' };

/** What the library does not know, or takes for another browser; with the major version. */
const browserRules: readonly (readonly [BrowserName, RegExp])[] = [
  // The app writes `Whale/` and `KAKAOTALK` beside the name of the browser that it is built on.
  ['NAVER', /\bNAVER\(inapp;[^()]{0,60}?; ?(\d{1,3})\.\d/],
  ['KakaoTalk', /\bKAKAOTALK[ /](\d+)/],
  ['Daum', /\bDaum(?:App|Device)s?[ /](\d+)/i],
  ['LINE', /\bLine\/(\d+)/],
  ['Brave', /\bBrave(?: Chrome)?\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
];

/** Other systems' own browsers have borrowed Safari's name and a version of their own. */
const systemsOfSafari = new Set<OperatingSystemName>([
  'iOS',
  'iPadOS',
  'macOS',
  'visionOS',
  'Windows',
]);

/** The major version, and the minor if there is one. */
const versionForm = /^([1-9]\d{0,2})(?!\d)(?:[._](\d|[1-9]\d)(?!\d))?/;

/** The browser by the User-Agent, of a device with this system. */
function readBrowser(userAgent: string, system: OperatingSystemName): Browser {
  // Televisions write 0 for o where they fear to be taken for a telephone or a computer.
  const text = userAgent.replaceAll('Chr0me', 'Chrome');
  for (const [name, pattern] of browserRules) {
    const match = pattern.exec(text);
    if (match) return { name, version: writeBrowserVersion(name, match[1]) };
  }
  // TRICKY: the library's own rule for it takes 5 ms for 512 characters that a stranger made up.
  const bare = text.replace(/naver\(/gi, 'naver ');
  const { name: found = '', version } = new UAParser(bare).getBrowser();
  const name = nameOf(found, system);
  return name === undefined
    ? unknownBrowser
    : { name, version: writeBrowserVersion(name, version) };
}

function nameOf(found: string, system: OperatingSystemName): BrowserName | undefined {
  if (found === 'WebKit') {
    return system === 'iOS' || system === 'iPadOS' ? 'iOS WebView' : undefined;
  }
  const name = browserOfLibrary(found);
  return name === 'Safari' && !systemsOfSafari.has(system) ? undefined : name;
}

/**
 * A version as people write it: the major alone, as the minors of nearly all browsers are 0; of
 * Safari, which has a release of its own every few months, the minor too, unless it is 0.
 */
function writeBrowserVersion(name: BrowserName, text = ''): string {
  const form = versionForm.exec(text);
  if (form === null) return '';
  const [, major = '', minor = '0'] = form;
  if (name === 'Safari' && major === '19') return writeBrowserVersion(name, `26.${minor}`);
  if (!hasMajor(name, Number(major))) return '';
  return name === 'Safari' && minor !== '0' ? `${major}.${minor}` : major;
}

export const deviceKinds = ['desktop', 'mobile', 'tablet', 'tv', 'console', 'other'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/** Systems that are of one kind of device, whatever else the User-Agent says. */
const kindsBySystem: Partial<Record<OperatingSystemName, DeviceKind>> = {
  Bada: 'mobile',
  Chromecast: 'tv',
  ChromeOS: 'desktop',
  FreeBSD: 'desktop',
  Fuchsia: 'other',
  Haiku: 'desktop',
  'Horizon OS': 'other',
  iPadOS: 'tablet',
  KaiOS: 'mobile',
  macOS: 'desktop',
  MeeGo: 'mobile',
  NetBSD: 'desktop',
  NetCast: 'tv',
  'Nintendo 3DS': 'console',
  'Nintendo DS': 'console',
  'Nintendo Switch': 'console',
  'Nintendo Switch 2': 'console',
  OpenBSD: 'desktop',
  PlayStation: 'console',
  'PlayStation Portable': 'console',
  'PlayStation Vita': 'console',
  Roku: 'tv',
  'Series 40': 'mobile',
  SmartCast: 'tv',
  Solaris: 'desktop',
  Symbian: 'mobile',
  'Titan OS': 'tv',
  'TiVo OS': 'tv',
  tvOS: 'tv',
  'Vega OS': 'tv',
  VIDAA: 'tv',
  visionOS: 'other',
  watchOS: 'other',
  'Whale OS': 'tv',
  Wii: 'console',
  'Wii U': 'console',
  Windows: 'desktop',
  'Windows CE': 'mobile',
  'Windows Phone': 'mobile',
  Xbox: 'console',
};

/** The kind of those that are on several, if the User-Agent shows no other. */
const usualKinds: Partial<Record<OperatingSystemName, DeviceKind>> = {
  BlackBerry: 'mobile',
  'Firefox OS': 'mobile',
  iOS: 'mobile',
  Linux: 'desktop',
  'Sailfish OS': 'mobile',
  Tizen: 'tv',
  'Ubuntu Touch': 'mobile',
  webOS: 'tv',
};

/** In this order: a television may write `Mobile`, and a car is an Android tablet. */
const deviceRules: readonly (readonly [DeviceKind, RegExp])[] = [
  [
    'other',
    /\bBMW\/|bmw_|TiVoAuto|QtCarBrowser|\bTesla\/|Android Automotive|\bWear ?OS\b|\bSM-R\d/,
  ],
  ['tv', /smart[- ]?tv|\bHbbTV\b|(?:Android|Google|Fire|Portal) ?TV|webOS\.TV|\bDTV\b|\(TV;/i],
  ['tv', /\bBRAVIA\b|\bCrKey\/|Large Screen|[;( ]AFT[A-Z]|\bMi(?:TV|BOX)|\bSHIELD\b/i],
  ['tablet', /\biPad|\bhp-tablet\b|TouchPad|PlayBook|[;(] ?Tablet\b|[;(_] ?KF[A-Z]{3}/],
  ['desktop', /\(PC; OpenHarmony/],
  ['mobile', /\bOpera Mini\//],
];

const kindsOfLibrary: Readonly<Record<string, DeviceKind>> = {
  console: 'console',
  embedded: 'other',
  mobile: 'mobile',
  smarttv: 'tv',
  tablet: 'tablet',
  wearable: 'other',
};

/** The kind of device by its system and User-Agent; empty where they do not say. */
function readDeviceKind(userAgent: string, system: OperatingSystemName): DeviceKind | '' {
  const only = kindsBySystem[system];
  if (only !== undefined) return only;
  const rule = deviceRules.find(([, pattern]) => pattern.test(userAgent));
  if (rule) return rule[0];
  // LG's televisions are telephones to the library, and Amazon's tablets call themselves mobile.
  if (system === 'Fire OS') return 'tablet';
  if (system === 'webOS') return /\bPre\/|\bPixi\//.test(userAgent) ? 'mobile' : 'tv';
  if (/\bMobile\b|\(Phone;/.test(userAgent)) return 'mobile';
  const { type = '' } = new UAParser(userAgent).getDevice();
  return kindsOfLibrary[type] ?? usualKinds[system] ?? '';
}
