/** Light or dark: as the system says, unless the reader chose. */
import { keep, readKept } from './kept-choice.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const kept = 'playmeter-theme';
let chosen = readKept(kept);

export function readTheme(): Theme {
  return themes.find((theme) => theme === chosen) ?? 'system';
}

export function setTheme(theme: Theme): void {
  chosen = theme;
  keep(kept, theme === 'system' ? null : theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = readTheme();
}
