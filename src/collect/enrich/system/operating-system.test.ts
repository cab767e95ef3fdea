import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../test/support/any-character.ts';
import { userAgentLimitChars } from '../user-agent-memory.ts';
import { createOperatingSystemReader, type OperatingSystemEvidence } from './operating-system.ts';
import { belongsTo, operatingSystemNames } from './operating-system-names.ts';
import { releasedVersions } from './released-versions.ts';

const readOperatingSystem = createOperatingSystemReader();
const words = Object.values(releasedVersions)
  .flat()
  .filter((entry) => typeof entry === 'string');

interface Row {
  origin: string;
  name: string;
  version: string;
  userAgent: string;
}

function readRows(): Row[] {
  const rows: Row[] = [];
  let origin = '';
  const text = readFileSync(new URL('user-agents.txt', import.meta.url), 'utf8');
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) origin = line.slice(3);
    if (line === '' || line.startsWith('#')) continue;
    const [name = '', version = '', ...rest] = line.split(' | ');
    rows.push({ origin, name, version, userAgent: rest.join(' | ') });
  }
  return rows;
}

const rows = readRows();

describe('the operating system of a User-Agent', () => {
  it('is known for at least 300 strings, each given once and with its origin', () => {
    expect(rows.length).toBeGreaterThanOrEqual(300);
    expect(new Set(rows.map((row) => row.userAgent)).size).toBe(rows.length);
    expect(rows.filter((row) => row.origin === '' || row.userAgent === '')).toEqual([]);
  });

  it('has a string for every name that the statistics know', () => {
    const named = new Set(rows.map((row) => row.name));
    expect(operatingSystemNames.filter((name) => !named.has(name))).toEqual([]);
  });

  it.each(rows)('$name $version: $userAgent', ({ name, version, userAgent }) => {
    expect(readOperatingSystem({ userAgent })).toEqual({ name, version });
  });
});

function chromium(system: string, product = 'Chrome/151.0.0.0'): string {
  const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  return `Mozilla/5.0 (${system}) ${engine} ${product} Safari/537.36`;
}

const silk = 'Silk/98.1.148 like Chrome/98.0.4758.101';
const windows = chromium('Windows NT 10.0; Win64; x64');
const mac = chromium('Macintosh; Intel Mac OS X 10_15_7');
const android = chromium('Linux; Android 10; K', 'Chrome/151.0.0.0 Mobile');
const linux = chromium('X11; Linux x86_64');
const chromebook = chromium('X11; CrOS x86_64 14541.0.0', 'Chrome/150.0.0.0');
const fireTablet = chromium('Linux; Android 9; KFKAWI', silk);
const silkDesktop = chromium('X11; Linux x86_64', silk);
const xbox = chromium('Windows NT 10.0; Win64; x64; Xbox; Xbox Series X', 'Chrome/113.0.0.0');
const harmony = chromium('Linux; Android 12; HarmonyOS; NOH-AN00', 'Chrome/99.0.4844.88 Mobile');
const tizen = chromium('SMART-TV; LINUX; Tizen 9.0', '120.0.6099.5/9.0 TV');
const windows7 = 'Mozilla/5.0 (Windows NT 6.1; WOW64; rv:45.0) Gecko/20100101 Firefox/45.0';
const iPad =
  'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1';

const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.3 Safari/605.1.15';
const desktopIPad = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari}`;
const chromeOfIPad = mac.replace('Chrome/', 'Version/11.1.1 CriOS/');
const webView = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Mobile/15E148';

/** User-Agent, platform, platformVersion -> name, version. */
const hinted: [string | undefined, string | undefined, string | undefined, string, string][] = [
  // The table that Microsoft publishes for telling Windows 11.
  [windows, '"Windows"', '"0.1.0"', 'Windows', '7'],
  [windows, '"Windows"', '"0.2.0"', 'Windows', '8'],
  [windows, '"Windows"', '"0.3.0"', 'Windows', '8.1'],
  [windows, '"Windows"', '"0.3"', 'Windows', '8.1'],
  [windows, '"Windows"', '"1.0.0"', 'Windows', '10'],
  [windows, '"Windows"', '"10.0.0"', 'Windows', '10'],
  [windows, '"Windows"', '"13.0.0"', 'Windows', '11'],
  [windows, '"Windows"', '"14.0.0"', 'Windows', '11'],
  [windows, '"Windows"', '"19.0.0"', 'Windows', '11'],
  [windows, 'Windows', '15.0.0', 'Windows', '11'],
  [windows, 'Windows', '11', 'Windows', '11'],
  [windows, 'Windows', undefined, 'Windows', '10'],
  [windows, undefined, '"15.0.0"', 'Windows', '11'],
  [windows7, 'Windows', undefined, 'Windows', '7'],
  [windows7, 'Windows', '', 'Windows', '7'],
  [undefined, '"Windows"', '"15.0.0"', 'Windows', '11'],
  [undefined, 'Windows', '10.0.0', 'Windows', '10'],
  [undefined, 'Windows', '10.0.19045.1', 'Windows', '10'],
  [undefined, 'Windows', '15', 'Windows', '11'],
  [undefined, 'Windows', '15.10', 'Windows', '11'],
  [undefined, 'Windows', '15.10.0.0', 'Windows', '11'],
  [undefined, 'Windows', '15.0.0.0.0', 'Windows', 'Unknown'],
  [undefined, 'Windows', 'x15.0.0', 'Windows', 'Unknown'],
  [undefined, 'Windows', '15.0.0x', 'Windows', 'Unknown'],

  [mac, '"macOS"', '"14.4.1"', 'macOS', '14.4.1'],
  [mac, '"macOS"', '"15.0.0"', 'macOS', '15'],
  [mac, '"macOS"', '"10.15.7"', 'macOS', '10.15.7'],
  [mac, '"macOS"', '"10.16.0"', 'macOS', '11'],
  [mac, '"Mac OS X"', '"11.6.0"', 'macOS', '11.6'],
  [mac, '"macOS"', undefined, 'macOS', 'Unknown'],
  [mac, undefined, '"26.1.0"', 'macOS', '26.1'],
  // An iPad that asks for desktop pages: only whoever knows the device can say it.
  [mac, 'iPadOS', '17.4', 'iPadOS', '17.4'],
  [iPad, 'iOS', '18.6.2', 'iPadOS', '18.6.2'],
  [iPad, 'iOS', '12.5', 'iPadOS', '18.6'],
  [desktopIPad, 'iPadOS', undefined, 'iPadOS', '26.3'],
  [desktopIPad, 'iPadOS', '26.4', 'iPadOS', '26.4'],
  [desktopIPad, 'iOS', undefined, 'iOS', 'Unknown'],
  [desktopIPad, undefined, undefined, 'macOS', 'Unknown'],
  [chromeOfIPad, 'iPadOS', undefined, 'iPadOS', 'Unknown'],

  [android, '"Android"', '"14.0.0"', 'Android', '14'],
  [android, '"Android"', '"8.1.0"', 'Android', '8.1'],
  [android, '"Android"', '"11"', 'Android', '11'],
  [android, '"Android"', '""', 'Android', 'Unknown'],
  [android, '"Android"', undefined, 'Android', 'Unknown'],
  [android, undefined, '"13.0.0"', 'Android', '13'],
  [linux, '"Android"', '"13.0.0"', 'Android', '13'],
  ['', '"Android"', '"11"', 'Android', '11'],
  [android, '"HarmonyOS"', '"5.0"', 'HarmonyOS', '5'],

  [linux, '"Linux"', '"6.5.0"', 'Linux', '6.5'],
  [linux, '"Linux"', '"5.15.148"', 'Linux', '5.15'],
  [linux, '"Linux"', '""', 'Linux', 'Unknown'],
  ['Mozilla/5.0 (X11; RedHat) Gecko/20100101', undefined, undefined, 'Linux', 'Unknown'],
  [linux, '"Chrome OS"', '"14541.0.0"', 'ChromeOS', 'Unknown'],
  [chromebook, '"Chrome OS"', '"16181.61.0"', 'ChromeOS', '150'],
  [chromebook, '"Chromium OS"', undefined, 'ChromeOS', '150'],

  // A special kind of the hinted platform keeps its own name, and its own count of versions.
  [fireTablet, '"Android"', '"9.0.0"', 'Fire OS', '7'],
  [fireTablet, '"Android"', undefined, 'Fire OS', '7'],
  [silkDesktop, '"Android"', '"11.0.0"', 'Fire OS', '8'],
  [silkDesktop, '"Linux"', '"4.14.0"', 'Fire OS', 'Unknown'],
  [xbox, '"Windows"', '"10.0.0"', 'Xbox', 'Series X'],
  [harmony, '"Android"', '"12.0.0"', 'HarmonyOS', 'Unknown'],
  [tizen, '"Linux"', '"5.4.0"', 'Tizen', '9'],
  [fireTablet, undefined, '"9.0.0"', 'Fire OS', '7'],
  [fireTablet, undefined, '"8.0.0"', 'Fire OS', '7'],

  // The name by the hint; the version by the User-Agent only where it speaks of the same system.
  [windows7, '"macOS"', undefined, 'macOS', 'Unknown'],
  [xbox, '"Linux"', undefined, 'Linux', 'Unknown'],

  // A web view of iOS 26 says 18_7; the app around it may add the truth.
  [`${webView} [FBAN/FBIOS;FBSN/iOS;FBSV/26.1;FBSS/3]`, undefined, undefined, 'iOS', '26.1'],
  [`${webView} Instagram 395.0 (iPhone15,2; iOS 26_0_1)`, undefined, undefined, 'iOS', '26.0.1'],
  [webView, undefined, undefined, 'iOS', 'Unknown'],

  // Only Android has levels that are taken for versions.
  [undefined, 'iOS', '26', 'iOS', '26'],
  [undefined, 'macOS', '26.0.0', 'macOS', '26'],

  // Blanks around a hint mean nothing; quotes belong around all of it.
  [undefined, ' "Android" ', ' "14" ', 'Android', '14'],
  [undefined, '" Android "', '" 14 "', 'Android', '14'],
  [undefined, 'And"roid"', '14', 'Unknown', 'Unknown'],
  [undefined, '"And"roid', '14', 'Unknown', 'Unknown'],

  // Hints that say nothing, or nothing that we know.
  [windows, '"Unknown"', '"1.0.0"', 'Windows', '10'],
  [windows, '""', '""', 'Windows', '10'],
  [windows, '"BeOS"', undefined, 'Windows', '10'],
  [undefined, '"BeOS"', '"5.0"', 'Unknown', 'Unknown'],
  [undefined, undefined, '"14.0.0"', 'Unknown', 'Unknown'],
  [undefined, undefined, undefined, 'Unknown', 'Unknown'],
  [android, '"Android"', '"14.0.0-rc1"', 'Android', 'Unknown'],
  [android, '"Android"', '"1234567"', 'Android', 'Unknown'],
  [android, '"Android"', '"34"', 'Android', '14'],
  [android, '"Android"', '"134"', 'Android', 'Unknown'],
  [android, '"Android"', '"34.1"', 'Android', 'Unknown'],
  [android, '"Android"', '"constructor"', 'Android', 'Unknown'],
  [windows, '"Windows CE"', '"6.0"', 'Windows CE', '6'],
];

describe('Client Hints', () => {
  it.each(hinted)(
    '%#: %s with %s %s is %s %s',
    (userAgent, platform, platformVersion, ...expected) => {
      const [name, version] = expected;
      const evidence = { userAgent, platform, platformVersion };
      expect(readOperatingSystem(evidence)).toMatchObject({ name, version });
    },
  );
});

const tokens = [
  ...['Android', 'iPhone', 'iPad', 'CPU OS ', 'like Mac OS X', 'Windows ', 'NT 10.0', 'Xbox'],
  ...['Roku/DVP-', 'Darwin/', 'CFNetwork/', 'BB10;', 'AppleWebKit', 'Version/', 'Mozilla/5.0 ('],
  ...['(', ')', ';', ' ', '/', '_', '.', '1', '26', '18_6', '9999', 'Linux', 'constructor', '"'],
];
const hostile = fc.oneof(
  fc.string({ maxLength: 700 }),
  fc.string({ unit: anyCharacter, maxLength: 700 }),
  fc.array(fc.constantFrom(...tokens), { maxLength: 200 }).map((parts) => parts.join('')),
  fc.constantFrom(...rows.map((row) => row.userAgent)),
);
const hints = fc.option(
  fc.oneof(hostile, fc.constantFrom('"Android"', '"__proto__"', '"Windows"', '"14.0.0"', '\\"')),
  { nil: undefined },
);
const anyEvidence: fc.Arbitrary<OperatingSystemEvidence> = fc.record({
  userAgent: fc.option(hostile, { nil: undefined }),
  platform: hints,
  platformVersion: hints,
});

describe('whatever a stranger sends', () => {
  it('gives a name of the closed list and a version of the form', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const { name, version } = readOperatingSystem(evidence);
        expect(operatingSystemNames).toContain(name);
        const form = /^\d{1,3}(\.\d{1,2}){0,2}$/.test(version);
        expect(form || version === 'Unknown' || words.includes(version)).toBe(true);
        if (name === 'Unknown') expect(version).toBe('Unknown');
      }),
      { numRuns: 1000 },
    );
  });

  it('is believed in its hint before its User-Agent', () => {
    const known = operatingSystemNames.filter((name) => name !== 'Unknown');
    fc.assert(
      fc.property(hostile, fc.constantFrom(...known), (userAgent, platform) => {
        const { name } = readOperatingSystem({ userAgent, platform: `"${platform}"` });
        expect(name === platform || belongsTo(name, platform)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is the same with and without the quotes of a structured field', () => {
    fc.assert(
      fc.property(hostile, fc.stringMatching(/^[\w.]{1,20}$/), (userAgent, text) => {
        const bare = { userAgent, platform: text, platformVersion: text };
        const quoted = { userAgent, platform: `"${text}"`, platformVersion: `"${text}"` };
        expect(readOperatingSystem(quoted)).toEqual(readOperatingSystem(bare));
      }),
    );
  });

  it('is read to the 512th character and no further', () => {
    const padding = 'x'.repeat(userAgentLimitChars - 'Android 14'.length - 1);
    expect(readOperatingSystem({ userAgent: `${padding} Android 14` })).toEqual({
      name: 'Android',
      version: '14',
    });
    const late = `x${padding} Android 14`;
    expect(readOperatingSystem({ userAgent: `${late}x` }).version).not.toBe('14');
    expect(readOperatingSystem({ userAgent: `${'x'.repeat(1_000_000)} Android 14` })).toEqual({
      name: 'Unknown',
      version: 'Unknown',
    });
  });

  it.each([
    [{ userAgent: android }, undefined],
    [{ userAgent: android, platform: '"Android"' }, 2],
    [{ userAgent: android, platform: '"Windows"' }, 2],
    [{ userAgent: android, platform: '"Android"', platformVersion: '"14"' }, 3],
  ] as const)('is ranked by its evidence: %j', (evidence, rank) => {
    expect(createOperatingSystemReader()(evidence).rank).toBe(rank);
  });

  it('is not what another gets whose texts are the same in a row', () => {
    const read = createOperatingSystemReader();
    const [platform, platformVersion] = ['"Android"', '"14"'];
    const apart = { userAgent: android, platform, platformVersion };
    const together = [
      { userAgent: `${platform}\n${platformVersion}\n${android}` },
      { userAgent: platform + platformVersion + android },
      { userAgent: platformVersion + android, platform },
      { userAgent: android, platform: platform + platformVersion },
    ];
    for (const evidence of together) expect(read(evidence).version).not.toBe('14');
    expect(read(apart)).toEqual({ name: 'Android', version: '14', rank: 3 });
  });

  it('is no string at all, and still does not throw', () => {
    const evidence = { userAgent: 7, platform: null, platformVersion: {} };
    expect(readOperatingSystem(evidence as unknown as OperatingSystemEvidence)).toEqual({
      name: 'Unknown',
      version: 'Unknown',
    });
  });
});
