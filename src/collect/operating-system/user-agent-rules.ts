import type { OperatingSystemName } from './operating-system-names.ts';
import {
  androidOfApiLevel,
  firefoxOsOfGecko,
  fireOsOfAndroid,
  iosOfDarwin,
  macosOfDarwin,
  webosOfChrome,
} from './version-tables.ts';

/**
 * Where the library is silent or mistaken. The first rule that matches decides; its version is
 * the first group of the match unless `version` says otherwise. Order matters where a system
 * imitates another: KaiOS and HarmonyOS say Android too, Xbox says Windows, Silk says Linux.
 */
export interface UserAgentRule {
  readonly name: OperatingSystemName;
  readonly pattern: RegExp;
  readonly version?: (match: RegExpExecArray, userAgent: string) => string | undefined;
}

// Invariant: no pattern repeats a group that itself repeats, so each is at most quadratic in the
// 512 characters that a User-Agent may have here.
export const userAgentRules: readonly UserAgentRule[] = [
  { name: 'KaiOS', pattern: /\bKAIOS\/([\d.]+)/i },
  { name: 'HarmonyOS', pattern: /\b(?:OpenHarmony|HarmonyOS)(?:[ /]([\d.]+))?/ },
  { name: 'Xbox', pattern: /\bXbox (360|One|Series [XS])\b/ },
  { name: 'Xbox', pattern: /; Xbox\)/, version: () => '360' },
  { name: 'PlayStation Vita', pattern: /\bPlayStation Vita(?: ([\d.]+))?/i },
  { name: 'PlayStation Portable', pattern: /\bPlayStation Portable\)?;?(?: ([\d.]+))?/i },
  { name: 'PlayStation', pattern: /\bPlayStation ?([3-5])\b/i },
  { name: 'Nintendo Switch 2', pattern: /\bNintendo Switch 2\b/, version: () => undefined },
  { name: 'Nintendo Switch', pattern: /\bNintendo Switch\b/ },
  { name: 'Nintendo 3DS', pattern: /\bNintendo 3DS\b/ },
  { name: 'Wii U', pattern: /\bNintendo WiiU\b/ },
  { name: 'Wii', pattern: /\bNintendo Wii\b/ },
  { name: 'Roku', pattern: /\bRoku[^()]{0,20}\/DVP-([\d.]+)/ },
  { name: 'Roku', pattern: /\bRoku\b/ },
  { name: 'VIDAA', pattern: /\bVIDAA(?:[ /]([\d.]+))?/ },
  { name: 'NetCast', pattern: /\bNetCast\b/ },
  { name: 'Tizen', pattern: /\bTizen[ /]([\d.]+)/ },
  { name: 'webOS', pattern: /\bWEBOS(\d+\.\d+(?:\.\d+)?) / },
  { name: 'webOS', pattern: /\b(?:webOS|hpwOS)\/([\d.]+)/ },
  { name: 'webOS', pattern: /\bWeb[0O]S\b/i, version: (_, ua) => webosOfChrome[chrome(ua)] },

  { name: 'tvOS', pattern: /\btvOS(?:[ /]([\d._]+))?/i },
  { name: 'tvOS', pattern: /\bApple TV;.{0,20}\bOS ([\d_]+) like Mac/ },
  { name: 'tvOS', pattern: /\bAppleTV\d+,\d+(?:\/([\d.]+))?/ },
  { name: 'watchOS', pattern: /\bwatchOS(?:[ /]([\d.]+))?/i },
  { name: 'watchOS', pattern: /\bWatch\d,\d/ },
  { name: 'visionOS', pattern: /\b(?:visionOS|xrOS)(?:[ /]([\d.]+))?/i },
  { name: 'iPadOS', pattern: /\biPadOS[ /]?([\d._]+)/i },
  { name: 'iOS', pattern: /\bCPU (?:iPhone )?OS ([\d_]+) like Mac/, version: iosOfBrowser },
  { name: 'iOS', pattern: /\biOS[ /]([\d._]+)/ },
  { name: 'Unknown', pattern: /\bHomePod\b/ },
  { name: 'macOS', pattern: /\bmacOS[ /](?:Version )?([\d._]+)/i },
  {
    name: 'macOS',
    pattern: /\bDarwin\/(\d+)[\d.]* \((?:x86_64|i386)/,
    version: ([, major]) => macosOfDarwin[major ?? ''],
  },
  {
    name: 'iOS',
    pattern: /\bCFNetwork\/[\d.]+ Darwin\/(\d+)/,
    version: ([, major]) => iosOfDarwin[major ?? ''],
  },

  { name: 'Windows Phone', pattern: /\bWindows Phone(?: OS)? ([\d.]+)/ },
  { name: 'Fire OS', pattern: /\bSilk\/|Android.*; (?:AFT|KF)[A-Z0-9]/, version: fireOs },
  { name: 'ChromeOS', pattern: /\bCrOS\b/, version: (_, ua) => chrome(ua) },
  { name: 'Android', pattern: /\bAndroid[ /](\d\d)\b(?!\.)/, version: androidOfNumber },
  { name: 'Android', pattern: /\bAndroid[ /]([\d.]+)/ },
  { name: 'Fuchsia', pattern: /\bFuchsia\b/ },
  { name: 'Chromecast', pattern: /\bCrKey\//, version: () => undefined },
  {
    name: 'Firefox OS',
    pattern: /^Mozilla\/5\.0 \((?:Mobile|Tablet|TV)[^()]*; rv:[\d.]+\) Gecko\/([\d.]+)/,
    version: ([, gecko]) => firefoxOsOfGecko[gecko ?? ''],
  },
];

function chrome(userAgent: string): string {
  return /\bChrome\/(\d+)/.exec(userAgent)?.[1] ?? '';
}

/**
 * From 26 on, Safari says iOS 18_6 or 18_7 for ever. On iOS the browser comes with the system, so
 * its own version is the system's; where that is missing (web views) nothing can be told.
 */
function iosOfBrowser([, told]: RegExpExecArray, userAgent: string): string | undefined {
  if (!userAgent.startsWith('Mozilla/') || !/^18_[67]\b/.test(told ?? '')) return told;
  const safari = /\bVersion\/([\d.]+)/.exec(userAgent)?.[1];
  return safari === undefined || Number.parseInt(safari, 10) < 26 ? told : safari;
}

function fireOs(_: RegExpExecArray, userAgent: string): string | undefined {
  const android = /\bAndroid (\d+(?:\.[1-9]\d*)*)/.exec(userAgent)?.[1];
  return android === undefined ? undefined : fireOsOfAndroid[android];
}

/** Some apps say the API level where others say the version; and Chrome says 10 for ever. */
function androidOfNumber([, told]: RegExpExecArray, userAgent: string): string | undefined {
  if (userAgent.includes('Android 10; K)')) return undefined;
  return androidOfApiLevel[told ?? ''] ?? told;
}
