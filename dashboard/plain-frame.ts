/** The frame of the dashboard as HTML, for pages that are not of its app: made by the build. */
import { brandPath, type IconName, iconPaths } from './src/frame/icon-paths.ts';
import { otherPlaces, type Place, places } from './src/frame/places.ts';
import { en } from './src/messages/en.ts';
import { themes } from './src/theme.ts';

/** What stands before, and after, what such a page has of its own in the frame. */
interface PlainFrame {
  readonly start: string;
  readonly end: string;
}

/** By the address of the page that it goes around. */
export function plainFrames(): Readonly<Record<string, PlainFrame>> {
  return Object.fromEntries(
    otherPlaces.map(({ href }) => [href, { start: start(), end: end(href) }]),
  );
}

function start(): string {
  return `<a class="skip" href="#main">${en['nav.skip']}</a>
<div class="side">
<header class="side-head">
<a class="brand" href="/"><svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
<rect width="16" height="16" rx="4"/><path d="${brandPath}"/></svg>
Playmeter</a>
</header>
<nav class="places" aria-label="${en['nav.pages']}">
${places.map((place) => link(place)).join('\n')}
</nav>`;
}

function end(current: string): string {
  const options = themes.map(
    (theme) => `<option value="${theme}">${en[`theme.${theme}`]}</option>`,
  );
  return `<footer>
${otherPlaces.map((place) => link(place, place.href === current)).join('\n')}
<div class="preferences">
<select id="theme" aria-label="${en['preferences.theme']}" hidden>${options.join('')}</select>
</div>
</footer>
</div>`;
}

function link({ href, name, icon }: Place, isCurrent = false): string {
  const current = isCurrent ? ' aria-current="page"' : '';
  return `<a href="${href}"${current}>${drawing(icon)} ${en[name]}</a>`;
}

function drawing(icon: IconName): string {
  const size = 'viewBox="0 0 16 16" width="16" height="16"';
  return `<svg class="icon" ${size} aria-hidden="true"><path d="${iconPaths[icon]}"/></svg>`;
}
