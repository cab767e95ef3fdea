import type { UserAgentRule } from './user-agent-rule.ts';
import { fireOsBuiltOn, webosOfEngine, webosOfYear } from './version-tables.ts';

/** Systems of televisions, sticks and boxes, save Apple's. Android TV is Android, and stays so. */
export const televisionRules: readonly UserAgentRule[] = [
  { name: 'Roku', pattern: /\bRoku[^()]{0,20}\/(?:DVP|Pluto)-([\d.]+)/, version: rokuVersion },
  { name: 'Roku', pattern: /\bRoku ?OS[ /]([\d.]+)/ },
  { name: 'Roku', pattern: /\bRoku\b/ },
  { name: 'VIDAA', pattern: /\bVIDAA[ /]([\d.]+)/ },
  { name: 'VIDAA', pattern: /\bVIDAA\b/ },
  { name: 'Titan OS', pattern: /\bTitanOS\/([\d.]+)/ },
  { name: 'TiVo OS', pattern: /\bTiVoOS\/([\d.]+)/ },
  { name: 'Whale OS', pattern: /\bWhaleTV\/([\d.]+)/ },
  { name: 'SmartCast', pattern: /\bVIZIO\b/ },
  { name: 'Tizen', pattern: /\bTizen[ /]([\d.]+)/ },
  { name: 'webOS', pattern: /\bWEBOS(\d{1,2}(?:\.\d)?)\b/ },
  {
    name: 'webOS',
    pattern: /\bwebOS\.TV-(20\d\d)/,
    version: ([, year]) => webosOfYear[year ?? ''],
  },
  { name: 'webOS', pattern: /\b(?:webOS|hpwOS)\/([\d.]+)/ },
  { name: 'webOS', pattern: /\bWeb[0O]S\b/i, version: webosVersion },
  { name: 'NetCast', pattern: /\bNetCast(?: ([\d.]+))?/ },
  { name: 'Vega OS', pattern: /\bKepler ([\d.]+); A/ },
  { name: 'Fire OS', pattern: /\bFire ?OS[ /]([\d.]+)/ },
  {
    name: 'Fire OS',
    pattern: /\b(?:Silk\/|Kindle Fire|AmazonWebAppPlatform\/)|[;(] ?(?:AFT|KF)[A-Z0-9]+\b/,
    version: (_, userAgent) => fireOsBuiltOn(/\bAndroid ([\d.]+)/.exec(userAgent)?.[1]),
  },
];

/** Roku writes the minor with a zero behind it: DVP-9.10 is 9.1, and DVP-12.5 is 12.5. */
function rokuVersion([, told]: RegExpExecArray): string | undefined {
  return told?.replace(/^(\d+\.\d)0$/, '$1');
}

function webosVersion(_: RegExpExecArray, userAgent: string): string | undefined {
  const engine =
    /\bChrome\/\d+/.exec(userAgent)?.[0] ?? /\bAppleWebKit\/[\d.]+/.exec(userAgent)?.[0];
  return engine === undefined ? undefined : webosOfEngine[engine];
}
