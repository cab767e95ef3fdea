import { appleRules } from './apple-rules.ts';
import { consoleRules } from './console-rules.ts';
import { mobileRules } from './mobile-rules.ts';
import { televisionRules } from './television-rules.ts';
import type { UserAgentRule } from './user-agent-rule.ts';

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
