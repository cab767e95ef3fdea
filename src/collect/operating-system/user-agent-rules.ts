import { appleRules } from './apple-rules.ts';
import { consoleRules } from './console-rules.ts';
import { mobileRules } from './mobile-rules.ts';
import type { OperatingSystemName } from './operating-system-names.ts';
import { televisionRules } from './television-rules.ts';

/**
 * A correction to the library: where it is silent or mistaken. The version is the first group of
 * the match unless `version` says otherwise.
 */
export interface UserAgentRule {
  readonly name: OperatingSystemName;
  readonly pattern: RegExp;
  readonly version?: (match: RegExpExecArray, userAgent: string) => string | undefined;
}

/**
 * The first rule that matches decides. Consoles and televisions come first because they imitate
 * the rest: Xbox says Windows, Vita says Silk, a Roku says Windows and Chromecast says Android.
 *
 * Invariant: no pattern repeats a group that itself repeats, so each is at most quadratic in the
 * 512 characters that a User-Agent may have here.
 */
export const userAgentRules: readonly UserAgentRule[] = [
  ...consoleRules,
  ...televisionRules,
  ...mobileRules.beforeApple,
  ...appleRules,
  ...mobileRules.afterApple,
];
