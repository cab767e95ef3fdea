/**
 * Apple's kernel and network stack -> the system they shipped with. Published by Apple with each
 * release of Darwin, and gathered at https://en.wikipedia.org/wiki/Darwin_(operating_system) and
 * https://theapplewiki.com/wiki/Kernel.
 */
type Releases = Readonly<Record<string, string>>;

/** `release.minor` by `major.minor` of Darwin; the key `major` alone holds for any other minor. */
function series(
  major: number,
  release: string,
  minors: Readonly<Record<number, number | string>>,
): Releases {
  const releases: Record<string, string> = { [major]: release };
  for (const [minor, of] of Object.entries(minors))
    releases[`${major}.${minor}`] = `${release}.${of}`;
  return releases;
}

/** Where the minors of the system are those of its kernel. */
function sameMinors(major: number, release: string, last: number): Releases {
  const minors: Record<number, number> = {};
  for (let minor = 1; minor <= last; minor += 1) minors[minor] = minor;
  return series(major, release, minors);
}

/** Darwin 10, 11 and 14 were the kernel of two iOS each: there the network stack says which. */
const iosOfDarwin: Releases = {
  ...{ 9: '2', 13: '6' },
  ...series(15, '9', { 4: 3, 5: '3.2', 6: '3.3' }),
  ...series(16, '10', { 1: 1, 3: 2, 5: 3, 6: '3.2', 7: '3.3' }),
  ...series(17, '11', { 2: 1, 3: 2, 4: 2, 5: 3, 6: 4, 7: '4.1' }),
  ...series(18, '12', { 2: 1, 5: 2, 6: 3, 7: 4 }),
  ...series(19, '13', { 2: 3, 3: '3.1', 4: 4, 5: 5, 6: 6 }),
  ...series(20, '14', { 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7 }),
  ...sameMinors(21, '15', 6),
  ...sameMinors(22, '16', 6),
  ...sameMinors(23, '17', 6),
  ...sameMinors(24, '18', 6),
  ...sameMinors(25, '26', 6),
  ...sameMinors(26, '27', 6),
};

/** CFNetwork -> iOS, where Darwin alone is ambiguous. */
const iosOfNetworkStack: Releases = {
  ...{ 459: '3.1', '467.12': '3.2', '485.2': '4', '485.10': '4.1', '485.12': '4.2' },
  ...{
    '485.13': '4.3',
    '548.0': '5',
    '548.1': '5.1',
    '609.1': '6.1',
    '672.0': '7',
    '672.1': '7.1',
  },
  ...{ '711.0': '8', '711.1': '8.1', '711.2': '8.2', '711.3': '8.3', '711.4': '8.4' },
  ...{ '711.5': '8.4.1', '758.1': '9.1', '758.2': '9.2' },
};

const macosOfDarwin: Releases = {
  ...sameMinors(8, '10.4', 11),
  ...sameMinors(9, '10.5', 8),
  ...sameMinors(10, '10.6', 8),
  ...series(11, '10.7', { 1: 1, 2: 2, 3: 3, 4: 4 }),
  ...series(12, '10.8', { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5 }),
  ...series(13, '10.9', { 1: 2, 2: 3, 3: 4, 4: 5 }),
  ...series(14, '10.10', { 1: 2, 3: 3, 4: 4, 5: 5 }),
  ...series(15, '10.11', { 2: 2, 3: 3, 4: 4, 5: 5, 6: 6 }),
  ...series(16, '10.12', { 1: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6 }),
  ...series(17, '10.13', { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6 }),
  ...series(18, '10.14', { 2: 1, 5: 4, 6: 5, 7: 6 }),
  ...series(19, '10.15', { 2: 2, 3: 3, 4: 4, 5: 5, 6: 6 }),
  ...series(20, '11', { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5 }),
  ...series(21, '12', { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5 }),
  ...series(22, '13', { 2: 1, 3: 2, 4: 3, 5: 4, 6: 5 }),
  ...sameMinors(23, '14', 6),
  ...sameMinors(24, '15', 6),
  ...sameMinors(25, '26', 6),
  ...sameMinors(26, '27', 6),
};

/** iOS by the two numbers that an app's network stack adds to its name, each `major.minor`. */
export function iosOfApp(networkStack: string, darwin: string): string | undefined {
  return iosOfNetworkStack[networkStack] ?? find(iosOfDarwin, darwin);
}

export function macosOf(darwin: string): string | undefined {
  return find(macosOfDarwin, darwin);
}

function find(releases: Releases, version: string): string | undefined {
  const [major = ''] = version.split('.');
  return releases[version] ?? releases[major];
}
