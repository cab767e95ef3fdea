import UAParser from 'ua-parser-js';
import type { OperatingSystemName } from '../system/operating-system-names.ts';

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
const rules: readonly (readonly [DeviceKind, RegExp])[] = [
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
export function readDeviceKind(userAgent: string, system: OperatingSystemName): DeviceKind | '' {
  const only = kindsBySystem[system];
  if (only !== undefined) return only;
  const rule = rules.find(([, pattern]) => pattern.test(userAgent));
  if (rule) return rule[0];
  // LG's televisions are telephones to the library, and Amazon's tablets call themselves mobile.
  if (system === 'Fire OS') return 'tablet';
  if (system === 'webOS') return /\bPre\/|\bPixi\//.test(userAgent) ? 'mobile' : 'tv';
  if (/\bMobile\b|\(Phone;/.test(userAgent)) return 'mobile';
  const { type = '' } = new UAParser(userAgent).getDevice();
  return kindsOfLibrary[type] ?? usualKinds[system] ?? '';
}
