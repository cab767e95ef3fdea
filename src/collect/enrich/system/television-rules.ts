import type { UserAgentRule } from './user-agent-rule.ts';
import { fireOsBuiltOn, webosOfEngine, webosOfYear } from './version-tables.ts';

/** Systems of televisions, sticks and boxes, save Apple's. Android TV is Android, and stays so. */
export const televisionRules: readonly UserAgentRule[] = [
  { name: 'Roku', pattern: /Roku[^()]{0,20}\/(?:DVP|Pluto)-([\d.]+)/, version: rokuVersion },
  { name: 'Roku', pattern: /RokuOS\/([\d.]+)/ },
  { name: 'Roku', pattern: /Roku; (?:AP|UI); ([\d.]+)/ },
  { name: 'Roku', pattern: /RokuBrowser\/.{0,100}\(TV-\w+-([\d.]+)\)/ },
  { name: 'Roku', pattern: /Roku/ },
  { name: 'VIDAA', pattern: /VIDAA\/([\d.]+)/ },
  { name: 'VIDAA', pattern: /VIDAA/ },
  { name: 'Titan OS', pattern: /TitanOS\/([\d.]+)/ },
  { name: 'TiVo OS', pattern: /TiVoOS\/([\d.]+)/ },
  { name: 'Whale OS', pattern: /\b(?:WhaleTV\/|WH)(\d[\d.]*)/ },
  { name: 'Whale OS', pattern: /Zeasn\// },
  { name: 'SmartCast', pattern: /VIZIO/ },
  { name: 'webOS', pattern: /WEBOS(\d{1,2}(?:\.\d)?)/ },
  {
    name: 'webOS',
    pattern: /webOS\.TV-(20\d\d)|DTV_W(\d\d)/,
    version: ([, year, lastDigits]) => webosOfYear[year ?? `20${lastDigits}`],
  },
  { name: 'webOS', pattern: /(?:webOS|hpwOS)\/([\d.]+)/ },
  { name: 'webOS', pattern: /Web[0O]S/i, version: webosVersion },
  { name: 'NetCast', pattern: /NetCast(?: ([\d.]+))?/ },
  { name: 'Vega OS', pattern: /Kepler ([\d.]+); A/ },
  { name: 'Fire OS', pattern: /Fire OS\/([\d.]+)/ },
  {
    name: 'Fire OS',
    pattern: /\bSilk\/|Kindle Fire|Fire ?TV|[;(_] ?(?:AFT|AEO|KF)[A-Z]/,
    version: (_, userAgent) => fireOsBuiltOn(/\bAndroid ([\d.]+)/.exec(userAgent)?.[1]),
  },
];

/** Roku writes the minor with a zero behind it: DVP-9.10 is 9.1, and DVP-12.5 is 12.5. */
function rokuVersion([, written]: RegExpExecArray): string | undefined {
  return written?.replace(/^(\d+\.\d)0$/, '$1');
}

function webosVersion(_: RegExpExecArray, userAgent: string): string | undefined {
  const engine =
    /\bChrome\/\d+/.exec(userAgent)?.[0] ?? /\bAppleWebKit\/[\d.]+/.exec(userAgent)?.[0];
  return engine === undefined ? undefined : webosOfEngine[engine];
}
