/**
 * The script of pages that have the dashboard's frame and nothing else of it: the theme, before
 * anything is drawn, and the choices of theme and language.
 */
import { keepLanguage, type Language } from './chosen-language.ts';
import { applyTheme, readTheme, setTheme, themes } from './theme.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/controls.css';

applyTheme();
document.addEventListener('DOMContentLoaded', () => {
  offer('#theme', readTheme(), (theme) =>
    setTheme(themes.find((one) => one === theme) ?? 'system'),
  );
  offer('#language', document.documentElement.lang, (language) => {
    keepLanguage(language as Language);
    // The service makes these pages in the reader's language.
    location.reload();
  });
});

/** Hidden without this script. */
function offer(selector: string, value: string, choose: (value: string) => void): void {
  const choice = document.querySelector<HTMLSelectElement>(selector);
  if (choice === null) return;
  choice.value = value;
  choice.hidden = false;
  choice.addEventListener('change', () => choose(choice.value));
}
