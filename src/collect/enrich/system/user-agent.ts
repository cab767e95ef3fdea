import UAParser from 'ua-parser-js';
import type { OperatingSystemName } from './operating-system-names.ts';
import { userAgentRules } from './user-agent-rules.ts';
import { unknown, writeVersion } from './version-form.ts';

/** The system by the User-Agent alone: our corrections first, then the library. */
export function readUserAgent(userAgent: string): { name: OperatingSystemName; version: string } {
  // Televisions write 0 for o where they fear to be taken for a telephone or a computer.
  const text = userAgent.replaceAll('Andr0id', 'Android').replaceAll('Chr0me', 'Chrome');
  const read = readByRule(text) ?? readByLibrary(text);
  const version = writeVersion(read.name, read.version);
  if (read.name === 'iOS' && /iPad/.test(text) && Number.parseInt(version, 10) >= 13) {
    return { name: 'iPadOS', version };
  }
  if (read.name === 'macOS') return { name: 'macOS', version: thawMacos(version, text) };
  return { name: read.name, version };
}

interface Reading {
  name: OperatingSystemName;
  version?: string | undefined;
}

function readByRule(userAgent: string): Reading | undefined {
  for (const rule of userAgentRules) {
    const match = rule.pattern.exec(userAgent);
    if (match === null) continue;
    const version = rule.version ? rule.version(match, userAgent) : match[1];
    return { name: rule.name, version };
  }
  return undefined;
}

/** The library's names and ours. Absent here: `Unknown`, however well the library knows it. */
const namesOfLibrary: Readonly<Record<string, OperatingSystemName>> = {
  Android: 'Android',
  'Android-x86': 'Android',
  Bada: 'Bada',
  BlackBerry: 'BlackBerry',
  'Chromium OS': 'ChromeOS',
  FreeBSD: 'FreeBSD',
  Haiku: 'Haiku',
  iOS: 'iOS',
  'Mac OS': 'macOS',
  MeeGo: 'MeeGo',
  NetBSD: 'NetBSD',
  OpenBSD: 'OpenBSD',
  Series40: 'Series 40',
  Solaris: 'Solaris',
  Symbian: 'Symbian',
  Tizen: 'Tizen',
  Windows: 'Windows',
  'Windows Mobile': 'Windows Phone',
  'Windows Phone': 'Windows Phone',
};

/** Those that may leave the word Linux out. */
const linuxDistribution =
  /linux|ubuntu|debian|suse|gentoo|arch|fedora|mandriva|mageia|centos|red ?hat|mint|maemo/i;

function readByLibrary(userAgent: string): Reading {
  const { name = '', version } = new UAParser(userAgent).getOS();
  const known = Object.hasOwn(namesOfLibrary, name) ? namesOfLibrary[name] : undefined;
  // If no rule read a version of Android, what the library found is an app's.
  if (known === 'Android') return { name: known };
  if (known !== undefined) return { name: known, version };
  // A distribution is Linux of no known version: most of them do not say which they are, and
  // the number beside the name is as often a package's as the release's.
  if (linuxDistribution.test(name) || /\bLinux\b/.test(userAgent)) return { name: 'Linux' };
  return { name: /\bWindows\b/.test(userAgent) ? 'Windows' : 'Unknown' };
}

/** Browsers stay at 10.15(.7) for ever; Apple's own clients do not. */
function thawMacos(version: string, userAgent: string): string {
  const frozen = version === '10.15.7' || version === '10.15';
  return frozen && userAgent.startsWith('Mozilla/') ? unknown : version;
}
