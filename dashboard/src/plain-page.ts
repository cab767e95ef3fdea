/**
 * The script of pages that have the dashboard's frame and nothing else of it: the theme, before
 * anything is drawn, and its choice.
 */
import { applyTheme, readTheme, setTheme, themes } from './theme.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/controls.css';

applyTheme();
document.addEventListener('DOMContentLoaded', () => {
  const choice = document.querySelector<HTMLSelectElement>('#theme');
  if (choice === null) return;
  choice.value = readTheme();
  choice.hidden = false;
  choice.addEventListener('change', () => {
    setTheme(themes.find((theme) => theme === choice.value) ?? 'system');
  });
});
