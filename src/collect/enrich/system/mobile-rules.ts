import type { UserAgentRule } from './user-agent-rule.ts';
import { androidOfLevel, androidOfLevelOrVersion, firefoxOsOfGecko } from './version-tables.ts';

const beforeApple: readonly UserAgentRule[] = [
  // Windows Phone 8.1 also names Android and iPhone, and its predecessor names Windows CE.
  { name: 'Windows Phone', pattern: /Windows (?:Phone|Mobile)(?: OS)?[ /]([\d.]+)/ },
  { name: 'Windows Phone', pattern: /Windows; U; wds ([\d.]+)/ },
  { name: 'KaiOS', pattern: /KAIOS(?:\/([\d.]+))?/i },
  { name: 'HarmonyOS', pattern: /(?:OpenHarmony|HarmonyOS)(?:[ /]([\d.]+))?/ },
  { name: 'Unknown', pattern: /J2ME\/MIDP/ },
  { name: 'Horizon OS', pattern: /OculusBrowser\// },
];

const afterApple: readonly UserAgentRule[] = [
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

/** Telephones, tablets and small computers: those that imitate Apple's, and the others. */
export const mobileRules = { beforeApple, afterApple };

/** BlackBerry's own browser has the version of its system; Opera there has Opera's. */
function versionBehindWebKit(_: RegExpExecArray, userAgent: string): string | undefined {
  if (!userAgent.includes('AppleWebKit')) return undefined;
  return /\bVersion\/([\d.]+)/.exec(userAgent)?.[1];
}
