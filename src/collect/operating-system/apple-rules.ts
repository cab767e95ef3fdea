import type { UserAgentRule } from './user-agent-rule.ts';
import { iosOfDarwin, macosOfDarwin } from './version-tables.ts';

/**
 * Apple's systems: browsers, apps (`(iPhone14,2; iOS 17.4) App/1.2`), the media stack and the
 * network stack, which tells only its kernel. What iOS says on an iPad becomes iPadOS later.
 */
export const appleRules: readonly UserAgentRule[] = [
  { name: 'Unknown', pattern: /\bHomePod\b/ },
  { name: 'tvOS', pattern: /\biOS\/([\d.]+) .{0,40}AppleTV/ },
  { name: 'tvOS', pattern: /\btvOS[ /]([\d._]+)/i },
  { name: 'tvOS', pattern: /\bApple TV;.{0,20}\bOS ([\d_]+) like Mac/ },
  { name: 'tvOS', pattern: /\bAppleTV\d+,\d+(?:\/([\d.]+))?/ },
  { name: 'tvOS', pattern: /\btvOS\b/i },
  { name: 'watchOS', pattern: /\bWatch ?OS[ /,]([\d.]+)/i },
  { name: 'watchOS', pattern: /\bWatch\d,\d+(?:\/([\d.]+))?/ },
  { name: 'visionOS', pattern: /\b(?:visionOS|xrOS)[ /]([\d._]+)/i },
  { name: 'visionOS', pattern: /\b(?:visionOS|xrOS)\b/i },
  { name: 'iPadOS', pattern: /\biPadOS[ /]?([\d._]+)/i },

  { name: 'iOS', pattern: /\bCPU (?:iPhone )?(?:OS )? ?([\d_]+) like Mac/, version: thawIos },
  { name: 'iOS', pattern: /\biPhone ?OS[ ,/]([\d._]+)/ },
  { name: 'iOS', pattern: /\biOS[ /;] ?(?:Version[ /])?([\d._]+)/i },
  { name: 'iOS', pattern: /\biP(?:hone|ad|od|od_touch)(?:\d+,\d+)?\/([\d.]+)/ },
  { name: 'iOS', pattern: /\bFBSN\/i.{0,10};FBSV\/ ?([\d.]+)/ },

  { name: 'Unknown', pattern: /\b(?:MorphOS|Amiga)/ },
  { name: 'macOS', pattern: /\bmacOS(?:\(Catalyst\))?[ /,](?:Version )?([\d._]+)/i },
  { name: 'macOS', pattern: /(?:\b|Mac)OS ?X[ /,](?:Version )?v?([\d._]+)/ },
  { name: 'macOS', pattern: /\bos=Mac ([\d.]+)/ },
  {
    // The network stack says its processor on a Mac only, and there on Intel's only.
    name: 'macOS',
    pattern: /\bDarwin\/(\d+)[\d.]* \((?:x86_64|i386)/,
    version: ([, major]) => macosOfDarwin[major ?? ''],
  },
  {
    // Without it: iOS, or a Mac on Apple's own chips, of which far fewer play in such an app.
    name: 'iOS',
    pattern: /\bCFNetwork\/[\d.]+ Darwin\/(\d+)/,
    version: ([, major]) => iosOfDarwin[major ?? ''],
  },
];

/**
 * From iOS 26 on, WebKit says 18_6 or 18_7 for ever:
 * https://nielsleenheer.com/articles/2025/the-user-agent-string-of-safari-on-ios-26-and-macos-26
 * Safari comes with the system, so its own version is the system's; an app that adds the true one
 * is believed; a plain web view (no `Safari/`) tells nothing.
 */
function thawIos([, told]: RegExpExecArray, userAgent: string): string | undefined {
  if (!userAgent.startsWith('Mozilla/') || !/^18_[67]$/.test(told ?? '')) return told;
  const added = /\b(?:FBSV\/|iOS[ /])([\d._]+)/.exec(userAgent)?.[1];
  if (added !== undefined) return added;
  const safari = /\bVersion\/([\d.]+)/.exec(userAgent)?.[1];
  if (safari !== undefined) return Number.parseInt(safari, 10) < 26 ? told : safari;
  return userAgent.includes(' Safari/') ? told : undefined;
}
