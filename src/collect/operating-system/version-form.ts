import type { OperatingSystemName } from './operating-system-names.ts';

export const unknown = 'Unknown';

/** The versions that people call by a word, and the only ones that are not digits and dots. */
export const versionWords: readonly string[] = [
  ...['CE', 'ME', 'NT 4.0', 'RT', 'Vista', 'XP'],
  ...['One', 'Series S', 'Series X'],
];

const digitsAndDots = /^(\d{1,3})(?:\.(\d{1,3}))?(?:\.(\d{1,3}))?(?:\.\d{1,6})*$/;

/** Linux tells its kernel; the patch level there is a number that only its packager knows. */
const partsShown: Partial<Record<OperatingSystemName, number>> = { ChromeOS: 1, Linux: 2 };

/**
 * A version as people write it: `17_4_0` is 17.4 and `14.0.0` is 14. At most three parts, so a
 * version is at most 11 characters; whatever is not of that form is `Unknown`.
 */
export function writeVersion(name: OperatingSystemName, text: string | undefined): string {
  if (text === undefined) return unknown;
  if (versionWords.includes(text)) return text;
  const match = digitsAndDots.exec(text.replaceAll('_', '.').replace(/\.+$/, ''));
  if (match === null) return unknown;
  const parts = match.slice(1, 1 + (partsShown[name] ?? 3)).map((part) => Number(part ?? 0));
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  return parts[0] === 0 && parts.length === 1 ? unknown : parts.join('.');
}
