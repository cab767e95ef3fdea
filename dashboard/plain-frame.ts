/** The frame of the dashboard as HTML, for pages that are not of its app: made by the build. */
import { type Language, languages } from './src/chosen-language.ts';
import { brandPath, type IconName, iconPaths } from './src/frame/icon-paths.ts';
import { otherPlaces, type Place, places } from './src/frame/places.ts';
import { en } from './src/messages/en.ts';
import { ko } from './src/messages/ko.ts';
import type { Messages } from './src/messages/messages.ts';
import { themes } from './src/theme.ts';

/** What stands before, and after, what such a page has of its own in the frame. */
interface PlainFrame {
  readonly start: string;
  readonly end: string;
}

type Frames = Readonly<Record<string, PlainFrame>>;

const catalogues: Readonly<Record<Language, Messages>> = { en, ko };

/** By the language, and then by the address of the page that it goes around. */
export function plainFrames(): Readonly<Record<string, Frames>> {
  const entries = Object.entries(catalogues).map(([language, messages]) => [
    language,
    Object.fromEntries(
      otherPlaces.map(({ href }) => [href, { start: start(messages), end: end(href, messages) }]),
    ),
  ]);
  return Object.fromEntries(entries);
}

function start(messages: Messages): string {
  return `<a class="skip" href="#main">${messages['nav.skip']}</a>
<div class="side">
<header class="side-head">
<a class="brand" href="/"><svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
<rect width="16" height="16" rx="4"/><path d="${brandPath}"/></svg>
Playmeter</a>
</header>
<nav class="places" aria-label="${messages['nav.pages']}">
${places.map((place) => link(place, messages)).join('\n')}
</nav>`;
}

function end(current: string, messages: Messages): string {
  return `<footer>
${otherPlaces.map((place) => link(place, messages, place.href === current)).join('\n')}
<div class="preferences">
<select id="language" aria-label="${messages['preferences.language']}" hidden>
${Object.entries(languages)
  .map(([value, name]) => `<option value="${value}" lang="${value}">${name}</option>`)
  .join('')}
</select>
<select id="theme" aria-label="${messages['preferences.theme']}" hidden>
${themes.map((value) => `<option value="${value}">${messages[`theme.${value}`]}</option>`).join('')}
</select>
</div>
</footer>
</div>`;
}

function link({ href, name, icon }: Place, messages: Messages, isCurrent = false): string {
  const current = isCurrent ? ' aria-current="page"' : '';
  return `<a href="${href}"${current}>${drawing(icon)} ${messages[name]}</a>`;
}

function drawing(icon: IconName): string {
  const size = 'viewBox="0 0 16 16" width="16" height="16"';
  return `<svg class="icon" ${size} aria-hidden="true"><path d="${iconPaths[icon]}"/></svg>`;
}
