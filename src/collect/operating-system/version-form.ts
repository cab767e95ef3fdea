import type { OperatingSystemName } from './operating-system-names.ts';

export const unknown = 'Unknown';

/** The versions that people call by a word, and the only ones that are not digits and dots. */
export const versionWords: readonly string[] = [
  ...['2000', 'CE', 'ME', 'NT 4.0', 'RT', 'Vista', 'XP'],
  ...['One', 'Series S', 'Series X'],
];

/**
 * What a stranger can write into the statistics is bounded here too: three digits, then twice two.
 * A fourth number is a build that nobody says; one that is too long is an app's, not a system's.
 */
const digitsAndDots = /^(\d{1,3})(?:\.(\d{1,2})(?:\.(\d{1,2})(?:\.\d{1,9})*)?)?$/;
const kernel = /^(\d{1,3})\.(\d{1,2})(?:\.\d{1,9})*$/;

/** A version as people write it: `17_4_0` is 17.4, `14.0.0` is 14; what is none is `Unknown`. */
export function writeVersion(name: OperatingSystemName, text: string | undefined): string {
  if (text === undefined || name === 'Unknown') return unknown;
  if (versionWords.includes(text)) return text;
  // Linux tells its kernel, whose third number only the packager of a distribution knows.
  const form = name === 'Linux' ? kernel : digitsAndDots;
  const match = form.exec(text.replaceAll('_', '.').replace(/\.+$/, ''));
  if (match === null) return unknown;
  const parts = match.slice(1).filter((part) => part !== undefined);
  while (parts.length > 1 && Number(parts.at(-1)) === 0) parts.pop();
  return Number(parts[0]) === 0 && parts.length === 1 ? unknown : parts.join('.');
}
