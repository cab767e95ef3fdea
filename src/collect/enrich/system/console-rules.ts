import type { UserAgentRule } from './user-agent-rule.ts';

/** Game consoles. Their version is the model where people say it so: PlayStation 5, Xbox One. */
export const consoleRules: readonly UserAgentRule[] = [
  { name: 'Xbox', pattern: /Xbox (360|One|Series [XS])/ },
  { name: 'Xbox', pattern: /XBOX_ONE/, version: () => 'One' },
  { name: 'Xbox', pattern: /Trident\/5\.0; Xbox\)/, version: () => '360' },
  { name: 'Xbox', pattern: /[(;] ?Xbox[;)]/ },
  { name: 'PlayStation Vita', pattern: /PlayStation Vita(?: ([\d.]+))?/ },
  { name: 'PlayStation Portable', pattern: /PlayStation Portable\)?;?(?: ([\d.]+))?/ },
  { name: 'PlayStation', pattern: /PlayStation ?([3-5])/i },
  { name: 'Nintendo Switch 2', pattern: /Nintendo Switch 2/ },
  { name: 'Nintendo Switch', pattern: /Nintendo Switch/ },
  { name: 'Nintendo 3DS', pattern: /Nintendo 3DS/ },
  { name: 'Nintendo DS', pattern: /Nintendo DS/ },
  { name: 'Wii U', pattern: /Nintendo WiiU/ },
  { name: 'Wii', pattern: /Nintendo Wii/ },
];
