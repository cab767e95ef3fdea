import { appleRules } from './apple-rules.ts';
import { consoleRules } from './console-rules.ts';
import { mobileRules } from './mobile-rules.ts';
import { televisionRules } from './television-rules.ts';
import type { UserAgentRule } from './user-agent-rule.ts';

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
  ...mobileRules.beforeApple,
  ...appleRules,
  ...mobileRules.afterApple,
];
