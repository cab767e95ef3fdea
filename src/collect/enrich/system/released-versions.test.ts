import { expect, it } from 'vitest';
import { type OperatingSystemName, operatingSystemNames } from './operating-system-names.ts';
import { writeVersion } from './version-form.ts';

/** Name, versions that are plausible, versions that are not: the ends of each range. */
const cases: [OperatingSystemName, string[], string[]][] = [
  ['Android', ['0.5', '20'], ['0', '0.0', '21', '007.04.01', '4.04', '1234', 'Vista']],
  ['Bada', ['1', '2'], ['0.9', '3']],
  ['BlackBerry', ['1', '10'], ['0.9', '11']],
  ['Chromecast', ['1', '5'], ['0.9', '6']],
  ['ChromeOS', ['4', '250'], ['3', '251']],
  ['Fire OS', ['1', '8', '14', '18'], ['0.9', '9', '13', '19']],
  ['Firefox OS', ['1', '2.5'], ['0.9', '3']],
  ['FreeBSD', ['1', '20'], ['0.9', '21']],
  ['Fuchsia', ['1', '50'], ['0.9', '51']],
  ['Haiku', ['1', '2'], ['0.9', '3']],
  ['HarmonyOS', ['1', '10'], ['0.9', '11']],
  ['Horizon OS', ['1', '150'], ['0.9', '151']],
  ['iOS', ['1', '18', '26', '30'], ['0.9', '20', '25', '31', '421', '17.04', '17.4.01']],
  ['iPadOS', ['13', '18', '26', '30'], ['12', '20', '25', '31']],
  ['KaiOS', ['1', '5'], ['0.9', '6']],
  ['Linux', ['1.0', '10.2'], ['0.9', '11.1', '6', '06.1', '6.01']],
  ['macOS', ['10', '15', '26', '30'], ['9', '16', '25', '31']],
  ['MeeGo', ['1'], ['0.9', '2']],
  ['NetBSD', ['1', '14'], ['0.9', '15']],
  ['NetCast', ['1', '5'], ['0.9', '6']],
  ['Nintendo 3DS', ['1', '11'], ['0.9', '12']],
  ['Nintendo DS', ['1'], ['0.9', '2']],
  ['Nintendo Switch', ['1', '30'], ['0.9', '31']],
  ['Nintendo Switch 2', ['1', '30'], ['0.9', '31']],
  ['OpenBSD', ['2', '10'], ['1', '11']],
  ['PlayStation', ['1', '6'], ['0.9', '7']],
  ['PlayStation Portable', ['1.50', '6.61'], ['0.90', '7.00', '6.1']],
  ['PlayStation Vita', ['1.03', '3.74'], ['0.90', '4.00', '3.1']],
  ['Roku', ['1', '20'], ['0.9', '21']],
  ['Sailfish OS', ['1', '8'], ['0.9', '9']],
  ['Series 40', ['1', '6'], ['0.9', '7']],
  ['SmartCast', ['1', '10'], ['0.9', '11']],
  ['Solaris', ['2', '11'], ['1', '12']],
  ['Symbian', ['1', '10'], ['0.9', '11']],
  ['Titan OS', ['1', '8'], ['0.9', '9']],
  ['TiVo OS', ['1', '8'], ['0.9', '9']],
  ['Tizen', ['1', '14'], ['0.9', '15']],
  ['tvOS', ['4', '18', '26', '30'], ['3', '19', '25', '31']],
  ['Ubuntu Touch', ['12.04', '30.10'], ['11.10', '31.04', '20', '20.4']],
  ['Unknown', [], ['1', 'XP']],
  ['Vega OS', ['1', '8'], ['0.9', '9']],
  ['VIDAA', ['1', '14'], ['0.9', '15']],
  ['visionOS', ['1', '2', '26', '30'], ['0.9', '3', '25', '31']],
  ['watchOS', ['1', '11', '26', '30'], ['0.9', '12', '25', '31']],
  ['webOS', ['1', '6', '22', '30'], ['0.9', '7', '21', '31']],
  ['Whale OS', ['1', '14'], ['0.9', '15']],
  ['Wii', ['1', '4'], ['0.9', '5']],
  ['Wii U', ['1', '5'], ['0.9', '6']],
  ['Windows', ['3.1', '95', '98', 'ME', 'NT 3.11', 'NT 4.0', '2000'], ['1', '2', '32', '6', '8.2']],
  ['Windows', ['XP', 'Vista', 'RT', '7', '8', '8.1', '10', '11', '12'], ['13', 'CE', 'xp', 'One']],
  ['Windows CE', ['1', '8'], ['0.9', '9']],
  ['Windows Phone', ['5', '10'], ['4', '11']],
  ['Xbox', ['360', 'One', 'Series S', 'Series X'], ['1', '4', '720', 'XP']],
];

it('has a case for every name', () => {
  expect(new Set(cases.map(([name]) => name))).toEqual(new Set(operatingSystemNames));
});

it.each(cases)('%s has versions such as %j, and none such as %j', (name, plausible, others) => {
  const read = (version: string) => writeVersion(name, version);
  expect(plausible.filter((version) => read(version) === 'Unknown')).toEqual([]);
  expect(others.filter((version) => read(version) !== 'Unknown')).toEqual([]);
});

it.each<[OperatingSystemName, string, string]>([
  ['iOS', '17_4_0', '17.4'],
  ['Android', '14.0.0', '14'],
  ['Android', '8.1.0.', '8.1'],
  ['Roku', '12.5.5.4405', '12.5.5'],
  ['Windows', '10.0', '10'],
  ['Linux', '6.5.0', '6.5'],
  ['Linux', '5.15.148', '5.15'],
  ['PlayStation Portable', '2.00', '2'],
  ['PlayStation Vita', '3.01', '3.01'],
  ['Ubuntu Touch', '20.04', '20.04'],
  ['Ubuntu Touch', '20.04.1.22', '20.04'],
  ['Ubuntu Touch', 'x20.04', 'Unknown'],
  ['Ubuntu Touch', '20.04x', 'Unknown'],
  ['Android', '8.1..', '8.1'],
  ['iOS', '17.19', '17.19'],
  ['iPadOS', '17.19', '17.19'],
  ['macOS', '26.10.16', '26.10.16'],
  ['iOS', '19_0', '26'],
  ['iPadOS', '19.1', '26.1'],
  ['macOS', '10.16', '11'],
  ['macOS', '10.16.1', '11'],
])('of %s, %s is written %s', (name, text, version) => {
  expect(writeVersion(name, text)).toBe(version);
});
