import { iosOfApp, macosOf } from './darwin-releases.ts';
import type { UserAgentRule } from './user-agent-rule.ts';

/**
 * Apple's systems: browsers, apps (`(iPhone14,2; iOS 17.4) App/1.2`), the media stack, and the
 * network stack, which adds only its kernel. What reports iOS on an iPad becomes iPadOS later.
 */
export const appleRules: readonly UserAgentRule[] = [
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
    version: ([, darwin]) => macosOf(darwin ?? ''),
  },
  // Programs that exist only on Macs: on Apple's own chips, no processor is named.
  {
    name: 'macOS',
    pattern: /^(?:Safari|Mail|Finder|CalendarAgent|AddressBookSourceSync)\/.* Darwin\/(\d+\.\d+)/,
    version: ([, darwin]) => macosOf(darwin ?? ''),
  },
  {
    name: 'macOS',
    pattern: /^(?:NetworkingExtension|com\.apple\.(?:Safari|WebKit)\.\w+)\/.* Darwin\/(\d+\.\d+)/,
    version: ([, darwin]) => macosOf(darwin ?? ''),
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
