import type { UserAgentRule } from './user-agent-rule.ts';

/** Game consoles. Their version is the model where people say it so: PlayStation 5, Xbox One. */
export const consoleRules: readonly UserAgentRule[] = [
  { name: 'Xbox', pattern: /\bXbox (360|One|Series [XS])\b/ },
  { name: 'Xbox', pattern: /\bXBOX_ONE/, version: () => 'One' },
  { name: 'Xbox', pattern: /Trident\/5\.0; Xbox\)/, version: () => '360' },
  { name: 'Xbox', pattern: /[(;] ?Xbox[;)]/ },
  { name: 'PlayStation Vita', pattern: /\bPlayStation Vita(?: ([\d.]+))?/i },
  { name: 'PlayStation Portable', pattern: /\bPlayStation Portable\)?;?(?: ([\d.]+))?/i },
  { name: 'PlayStation', pattern: /\bPlayStation ?([3-5])\b/i },
  { name: 'Nintendo Switch 2', pattern: /\bNintendo Switch 2\b/ },
  { name: 'Nintendo Switch', pattern: /\bNintendo Switch\b/ },
  { name: 'Nintendo 3DS', pattern: /\bNintendo 3DS\b/ },
  { name: 'Nintendo DS', pattern: /\bNintendo DSi?\b/ },
  { name: 'Wii U', pattern: /\bNintendo WiiU\b/ },
  { name: 'Wii', pattern: /\bNintendo Wii\b/ },
];
