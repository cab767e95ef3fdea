import type { UserAgentRule } from './user-agent-rule.ts';
import { androidOfApiLevel, firefoxOsOfGecko } from './version-tables.ts';

const beforeApple: readonly UserAgentRule[] = [
  // Windows Phone 8.1 says Android and iPhone as well.
  { name: 'Windows Phone', pattern: /\bWindows Phone(?: OS)?[ /]([\d.]+)/ },
  { name: 'Windows Phone', pattern: /\bWindows; U; wds ([\d.]+)/ },
  { name: 'KaiOS', pattern: /\bKAIOS\b(?:\/([\d.]+))?/i },
  { name: 'HarmonyOS', pattern: /\b(?:OpenHarmony|HarmonyOS)(?:[ /]([\d.]+))?/ },
  { name: 'Unknown', pattern: /\bJ2ME\/MIDP\b/ },
  { name: 'Horizon OS', pattern: /\bOculusBrowser\// },
];

const afterApple: readonly UserAgentRule[] = [
  { name: 'Ubuntu Touch', pattern: /\bUbuntu ([\d.]+) like Android/ },
  { name: 'Sailfish OS', pattern: /\bSailfish(?: OS)?\b(?:[ /]([\d.]+))?/ },
  { name: 'BlackBerry', pattern: /\bRIM Tablet OS ([\d.]+)/ },
  { name: 'BlackBerry', pattern: /\((?:BlackBerry|BB10);/, version: versionBehindWebKit },
  { name: 'Windows', pattern: /\bWin 9x 4\.90/, version: () => 'ME' },
  { name: 'Windows', pattern: /\bWindows IoT (\d+)/ },
  { name: 'Windows', pattern: /\bWindows[ /](7|8\.1|8|10|11|2000|XP|Vista)\b/ },
  // Chromebooks count their releases as Chrome does; the number beside CrOS is a build, now frozen.
  { name: 'ChromeOS', pattern: /\bCrOS\b.*\bChrome\/(\d+)/ },
  { name: 'Android', pattern: /\bAndroid 10; K[;)]/, version: () => undefined },
  { name: 'Android', pattern: /(?<!-)\bAndroid[ /](\d\d)\b(?!\.)/i, version: versionOrApiLevel },
  { name: 'Android', pattern: /(?<!-)\bAndroid(?: OS)?[ /;-]?([\d.]+)/i },
  { name: 'Android', pattern: /\bAdr ([\d.]+)/ },
  { name: 'Android', pattern: /\bGoogleTV(?: ([\d.]+))?/ },
  { name: 'Fuchsia', pattern: /\bFuchsia\b/ },
  { name: 'Chromecast', pattern: /\bCrKey\// },
  {
    name: 'Firefox OS',
    pattern: /^Mozilla\/5\.0 \((?:Mobile|Tablet|TV)[^()]*; rv:[\d.]+\) Gecko\/([\d.]+)/,
    version: ([, gecko]) => firefoxOsOfGecko[gecko ?? ''],
  },
  { name: 'iOS', pattern: /\b(?:iOS\b|iPhone|iPod)/ },
];

/** Telephones, tablets and small computers: those that imitate Apple's, and the others. */
export const mobileRules = { beforeApple, afterApple };

/** BlackBerry's own browser has the version of its system; Opera there has Opera's. */
function versionBehindWebKit(_: RegExpExecArray, userAgent: string): string | undefined {
  if (!userAgent.includes('AppleWebKit')) return undefined;
  return /\bVersion\/([\d.]+)/.exec(userAgent)?.[1];
}

/** Some apps say the API level where others say the version. */
function versionOrApiLevel([, told]: RegExpExecArray): string | undefined {
  return androidOfApiLevel[told ?? ''] ?? told;
}
