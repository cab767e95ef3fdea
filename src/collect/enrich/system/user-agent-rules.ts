import type { OperatingSystemName } from './operating-system-names.ts';
import {
  androidOfLevel,
  androidOfLevelOrVersion,
  findMacos,
  firefoxOsOfGecko,
  fireOsBuiltOn,
  iosOfApp,
  webosOfEngine,
  webosOfYear,
} from './version-tables.ts';

/**
 * A correction to the library: where it is silent or mistaken. The version is the first group of
 * the match unless `version` says otherwise.
 */
interface UserAgentRule {
  readonly name: OperatingSystemName;
  readonly pattern: RegExp;
  readonly version?: (match: RegExpExecArray, userAgent: string) => string | undefined;
}

/** Game consoles. Their version is the model where people say it so: PlayStation 5, Xbox One. */
const consoleRules: readonly UserAgentRule[] = [
  { name: 'Xbox', pattern: /Xbox (360|One|Series [XS])/ },
  { name: 'Xbox', pattern: /XBOX_ONE/, version: () => 'One' },
  { name: 'Xbox', pattern: /Trident\/5\.0; Xbox\)/, version: () => '360' },
  { name: 'Xbox', pattern: /[(;] ?Xbox[;)]/ },
  { name: 'PlayStation Vita', pattern: /PlayStation Vita(?: ([\d.]+))?/ },
  { name: 'PlayStation Portable', pattern: /PlayStation Portable\)?;?(?: ([\d.]+))?/ },
  { name: 'PlayStation', pattern: /PlayStation ?([3-5])/i },
  { name: 'Nintendo Switch 2', pattern: /Nintendo Switch 2/ },
  { name: 'Nintendo Switch', pattern: /Nintendo Switch/ },
  { name: 'Nintendo 3DS', pattern: /Nintendo 3DS/ },
  { name: 'Nintendo DS', pattern: /Nintendo DS/ },
  { name: 'Wii U', pattern: /Nintendo WiiU/ },
  { name: 'Wii', pattern: /Nintendo Wii/ },
];

/** Systems of televisions, sticks and boxes, save Apple's. Android TV is Android, and stays so. */
const televisionRules: readonly UserAgentRule[] = [
  { name: 'Roku', pattern: /Roku[^()]{0,20}\/(?:DVP|Pluto)-([\d.]+)/, version: rokuVersion },
  { name: 'Roku', pattern: /RokuOS\/([\d.]+)/ },
  { name: 'Roku', pattern: /Roku; (?:AP|UI); ([\d.]+)/ },
  { name: 'Roku', pattern: /RokuBrowser\/.{0,100}\(TV-\w+-([\d.]+)\)/ },
  { name: 'Roku', pattern: /Roku/ },
  { name: 'VIDAA', pattern: /VIDAA\/([\d.]+)/ },
  { name: 'VIDAA', pattern: /VIDAA/ },
  { name: 'Titan OS', pattern: /TitanOS\/([\d.]+)/ },
  { name: 'TiVo OS', pattern: /TiVoOS\/([\d.]+)/ },
  { name: 'Whale OS', pattern: /\b(?:WhaleTV\/|WH)(\d[\d.]*)/ },
  { name: 'Whale OS', pattern: /Zeasn\// },
  { name: 'SmartCast', pattern: /VIZIO/ },
  { name: 'webOS', pattern: /WEBOS(\d{1,2}(?:\.\d)?)/ },
  {
    name: 'webOS',
    pattern: /webOS\.TV-(20\d\d)|DTV_W(\d\d)/,
    version: ([, year, lastDigits]) => webosOfYear[year ?? `20${lastDigits}`],
  },
  { name: 'webOS', pattern: /(?:webOS|hpwOS)\/([\d.]+)/ },
  { name: 'webOS', pattern: /Web[0O]S/i, version: webosVersion },
  { name: 'NetCast', pattern: /NetCast(?: ([\d.]+))?/ },
  { name: 'Vega OS', pattern: /Kepler ([\d.]+); A/ },
  { name: 'Fire OS', pattern: /Fire OS\/([\d.]+)/ },
  {
    name: 'Fire OS',
    pattern: /\bSilk\/|Kindle Fire|Fire ?TV|[;(_] ?(?:AFT|AEO|KF)[A-Z]/,
    version: (_, userAgent) => fireOsBuiltOn(/\bAndroid ([\d.]+)/.exec(userAgent)?.[1]),
  },
];

/** Roku writes the minor with a zero behind it: DVP-9.10 is 9.1, and DVP-12.5 is 12.5. */
function rokuVersion([, written]: RegExpExecArray): string | undefined {
  return written?.replace(/^(\d+\.\d)0$/, '$1');
}

function webosVersion(_: RegExpExecArray, userAgent: string): string | undefined {
  const engine =
    /\bChrome\/\d+/.exec(userAgent)?.[0] ?? /\bAppleWebKit\/[\d.]+/.exec(userAgent)?.[0];
  return engine === undefined ? undefined : webosOfEngine[engine];
}

/** Telephones and small computers whose rules must precede Apple's, which they imitate. */
const rulesBeforeApple: readonly UserAgentRule[] = [
  // Windows Phone 8.1 also names Android and iPhone, and its predecessor names Windows CE.
  { name: 'Windows Phone', pattern: /Windows (?:Phone|Mobile)(?: OS)?[ /]([\d.]+)/ },
  { name: 'Windows Phone', pattern: /Windows; U; wds ([\d.]+)/ },
  { name: 'KaiOS', pattern: /KAIOS(?:\/([\d.]+))?/i },
  { name: 'HarmonyOS', pattern: /(?:OpenHarmony|HarmonyOS)(?:[ /]([\d.]+))?/ },
  { name: 'Unknown', pattern: /J2ME\/MIDP/ },
  { name: 'Horizon OS', pattern: /OculusBrowser\// },
];

/** The other telephones, tablets and small computers. */
const rulesAfterApple: readonly UserAgentRule[] = [
  { name: 'Ubuntu Touch', pattern: /Ubuntu ([\d.]+) like Android/ },
  { name: 'Sailfish OS', pattern: /Sailfish(?: ([\d.]+))?/ },
  { name: 'BlackBerry', pattern: /RIM Tablet OS ([\d.]+)/ },
  { name: 'BlackBerry', pattern: /\((?:BlackBerry|BB10);/, version: versionBehindWebKit },
  { name: 'Windows CE', pattern: /Win(?:dows )?CE(?: ([\d.]+))?/ },
  { name: 'Windows', pattern: /Win 9x 4\.90/, version: () => 'ME' },
  { name: 'Windows', pattern: /Windows IoT (\d+)/ },
  { name: 'Windows', pattern: /Windows (7|8\.1|8|2000|XP|Vista)\b/ },
  // Chromebooks count their releases as Chrome does; the number beside CrOS is a build, now frozen.
  { name: 'ChromeOS', pattern: /CrOS .*Chrome\/(\d+)/ },
  { name: 'Android', pattern: /Android 10; K[;)]/, version: () => undefined },
  {
    name: 'Android',
    pattern: /Android API (\d\d)/,
    version: ([, level = '']) => androidOfLevel(level),
  },
  { name: 'Android', pattern: /Pinterest for Android[^()]*\([^()]*; ([\d.]+)\)/ },
  { name: 'Android', pattern: /Android \(\d\d\/([\d.]+);/ },
  // After a dot or a hyphen it is the name of a package, and the number that of an app.
  {
    name: 'Android',
    pattern: /(?<![.-])\bAndroid(?: OS)?(?:[ /-]|; ?)?(\d[\d.]*)/i,
    version: ([, text = '']) => androidOfLevelOrVersion(text),
  },
  {
    name: 'Android',
    pattern: /FB(?:AN\/(?:FB4A|Orca-Android|\w+ForAndroid)|SN\/Android|PN\/com\.facebook\.)/,
    version: (_, userAgent) => /FBSV\/([\d.]+)/.exec(userAgent)?.[1],
  },
  { name: 'Android', pattern: /Adr ([\d.]+)/ },
  { name: 'Android', pattern: /GoogleTV(?: ([\d.]+))?/ },
  { name: 'Fuchsia', pattern: /Fuchsia/ },
  { name: 'Chromecast', pattern: /CrKey\// },
  {
    name: 'Firefox OS',
    pattern: /^Mozilla\/5\.0 \((?:Mobile|Tablet|TV)[^()]*; rv:[\d.]+\) Gecko\/([\d.]+)/,
    version: ([, gecko]) => firefoxOsOfGecko[gecko ?? ''],
  },
  { name: 'iOS', pattern: /\biOS|iPhone|iPad|iPod/ },
];

/** BlackBerry's own browser has the version of its system; Opera there has Opera's. */
function versionBehindWebKit(_: RegExpExecArray, userAgent: string): string | undefined {
  if (!userAgent.includes('AppleWebKit')) return undefined;
  return /\bVersion\/([\d.]+)/.exec(userAgent)?.[1];
}

/**
 * Apple's systems: browsers, apps (`(iPhone14,2; iOS 17.4) App/1.2`), the media stack, and the
 * network stack, which adds only its kernel. What reports iOS on an iPad becomes iPadOS later.
 */
const appleRules: readonly UserAgentRule[] = [
  { name: 'Unknown', pattern: /HomePod/ },
  { name: 'tvOS', pattern: /iOS\/([\d.]+) .{0,40}AppleTV/ },
  { name: 'tvOS', pattern: /Apple TV;.{0,20} OS ([\d_]+) like Mac/ },
  { name: 'tvOS', pattern: /tvOS(?:[ /]([\d.]+))?/ },
  { name: 'tvOS', pattern: /AppleTV\d+,\d+(?:\/([\d.]+))?/ },
  { name: 'watchOS', pattern: /Watch ?OS[ /,]([\d.]+)/i },
  { name: 'watchOS', pattern: /Watch\d,\d+(?:\/([\d.]+))?/ },
  { name: 'visionOS', pattern: /(?:visionOS|xrOS)(?:[ /]([\d._]+))?/ },
  // A browser of iOS that claims to be on a Mac requests the desktop page, as iPads do.
  {
    name: 'iPadOS',
    pattern: /Macintosh;.*(?:CriOS|EdgiOS|FxiOS)\//,
    version: () => undefined,
  },
  { name: 'iPadOS', pattern: /iPadOS[ /]([\d._]+)/ },

  { name: 'iOS', pattern: /CPU (?:iPhone )?(?:OS )?([\d_]+) like Mac/, version: thawIos },
  { name: 'iOS', pattern: /iPhone ?OS[ ,/]([\d.]+)/ },
  // The parentheses contain the system; an `iOS/3.1` before them is the version of the app.
  { name: 'iOS', pattern: /[(;] ?iOS ([\d._]+)/ },
  { name: 'iOS', pattern: /iOS\/[\d.]+ \(iP[^();]*; ([\d.]+)\)/ },
  { name: 'iOS', pattern: /dv\(iP.{0,100}ov\(([\d_]+)\)/ },
  { name: 'iOS', pattern: /FB(?:AN\/(?:FBIOS|\w+ForiOS)|SN\/i|MD\/iP)/, version: facebookVersion },

  { name: 'Unknown', pattern: /MorphOS|Amiga/ },
  { name: 'macOS', pattern: /macOS(?:\(Catalyst\))?[ /,]([\d.]+)/ },
  { name: 'macOS', pattern: /OS X[ /](?:Version )?v?([\d._]+)/ },
  { name: 'macOS', pattern: /Mac OS\/([\d.]+)/ },
  { name: 'macOS', pattern: /os=Mac ([\d.]+)/ },
  {
    // The network stack names the processor only on Macs, and there only Intel's and older ones.
    name: 'macOS',
    pattern: /Darwin\/(\d+\.\d+)[\d.]* \((?:x86_64|i386|Power(?: |%20)Macintosh)/,
    version: ([, darwin]) => findMacos(darwin ?? ''),
  },
  // Programs that exist only on Macs: on Apple's own chips, no processor is named.
  {
    name: 'macOS',
    pattern: /^(?:Safari|Mail|Finder|CalendarAgent|AddressBookSourceSync)\/.* Darwin\/(\d+\.\d+)/,
    version: ([, darwin]) => findMacos(darwin ?? ''),
  },
  {
    name: 'macOS',
    pattern: /^(?:NetworkingExtension|com\.apple\.(?:Safari|WebKit)\.\w+)\/.* Darwin\/(\d+\.\d+)/,
    version: ([, darwin]) => findMacos(darwin ?? ''),
  },
  {
    // Without either: iOS, or a Mac on Apple's own chips, of which far fewer play in such an app.
    name: 'iOS',
    pattern: /CFNetwork\/(\d+(?:\.\d+)?)[\d.]* Darwin\/(\d+\.\d+)/,
    version: ([, networkStack, darwin]) => iosOfApp(networkStack ?? '', darwin ?? ''),
  },

  { name: 'iOS', pattern: /\biOS(?:[ /]|; )(?:Version\/)?([\d._]+)/i },
  { name: 'iOS', pattern: /(?<![\w-])iP(?:hone|ad|od|od_touch)(?:\d+,\d+)?\/([\d.]+)/ },
];

/**
 * From iOS 26 on, WebKit reports 18_6 or 18_7 for ever:
 * https://nielsleenheer.com/articles/2025/the-user-agent-string-of-safari-on-ios-26-and-macos-26
 * An app that adds the true version is believed; a plain web view (no `Safari/`) is of no known
 * version.
 */
function thawIos([, frozen = '']: RegExpExecArray, userAgent: string): string | undefined {
  if (!userAgent.startsWith('Mozilla/') || !/^18_[67]$/.test(frozen)) return frozen;
  const added = /(?:\bFBSV\/|[(;/] ?iOS[ /])([\d._]+)/.exec(userAgent)?.[1];
  if (added !== undefined) return added;
  const safari = safariVersion(userAgent);
  if (safari !== undefined) return isOlder(safari, frozen) ? frozen : safari;
  return userAgent.includes(' Safari/') ? frozen : undefined;
}

/** Safari's version, which is that of the iOS or iPadOS it came with. */
export function safariVersion(userAgent: string): string | undefined {
  return /\bVersion\/([\d.]+)/.exec(userAgent)?.[1];
}

function isOlder(safari: string, frozen: string): boolean {
  return Number.parseInt(safari, 10) < 26 && !safari.startsWith(frozen.replace('_', '.'));
}

function facebookVersion(_: RegExpExecArray, userAgent: string): string | undefined {
  return /\bFBSV\/ ?([\d.]+)/.exec(userAgent)?.[1];
}

/**
 * The first rule that matches decides. Consoles and televisions come first because they imitate
 * the rest: Xbox names Windows, Vita Silk, a Roku Windows and Chromecast Android.
 *
 * Invariant: no pattern repeats a group that itself repeats, so each is at most quadratic in the
 * 512 characters that are read.
 */
export const userAgentRules: readonly UserAgentRule[] = [
  ...consoleRules,
  ...televisionRules,
  ...rulesBeforeApple,
  ...appleRules,
  ...rulesAfterApple,
];
