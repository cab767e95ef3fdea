/** Light or dark: as the system says, unless the reader chose. */

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const kept = 'playmeter-theme';

export function readTheme(): Theme {
  const text = localStorage.getItem(kept);
  return themes.find((theme) => theme === text) ?? 'system';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(kept);
  else localStorage.setItem(kept, theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = readTheme();
}
