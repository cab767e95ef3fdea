/**
 * The guides at /docs/guide: Markdown files of this project as pages of the documentation, with the
 * pictures they show. Made when one is first asked for, all at once.
 */
import { join, posix } from 'node:path';
import type { PlainFrame } from '../plain-frame.ts';
import { frame, linkFrom } from '../reference/frame.ts';
import { type Html, html } from '../reference/html.ts';
import type { SearchEntry } from '../reference/search-index.ts';
import {
  decisions,
  type Guide,
  projectFolder,
  readGuide,
  shelves,
  singleDecisions,
} from './guide-list.ts';
import { type Heading, renderGuide } from './render-guide.ts';

export interface GuideSite {
  /** Every page by its path. */
  readonly pages: ReadonlyMap<string, string>;
  /** The file of every picture by its path. */
  readonly pictures: ReadonlyMap<string, string>;
  readonly entries: readonly SearchEntry[];
}

/** Generated files that the reference shows in its own way. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/errors.md': '/docs/errors',
  'docs/openapi.json': '/openapi.json',
};
const pictureTypes = ['.png', '.svg', '.webp'];
const mostWordsOf = 600;

export function guideSite(site: string, around: PlainFrame): GuideSite {
  const singles = singleDecisions();
  const guides = [...shelves.flatMap((shelf) => shelf.guides), ...singles];
  const pictures = new Map<string, string>();
  const addressOf = (file: string): string | undefined => {
    if (!pictureTypes.includes(posix.extname(file))) {
      return elsewhere[file] ?? guides.find((guide) => guide.file === file)?.href;
    }
    const path = `/docs/pictures/${file.replaceAll('/', '-')}`;
    pictures.set(path, join(projectFolder, file));
    return path;
  };
  const made = guides.map((guide) => {
    const { main, headings } =
      guide === decisions
        ? { main: listOf(singles), headings: [] }
        : renderGuide(guide.file, readGuide(guide.file), { addressOf });
    const navigation = navigationOf(guide, headings);
    const page = frame({
      site,
      title: guide.name,
      navigation,
      main: html`<article>${main}</article>`,
      around,
    });
    return { guide, page: page.text, headings };
  });
  return {
    pages: new Map(made.map(({ guide, page }) => [guide.href, page])),
    pictures,
    entries: made.flatMap(({ guide, headings }) => headings.map((at) => entryOf(guide, at))),
  };
}

function navigationOf(shown: Guide, headings: readonly Heading[]): Html {
  const parts = headings.filter(({ depth }) => depth === 2);
  const below =
    parts.length > 1
      ? html`<ul>${parts.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`
      : undefined;
  const isSingle = shown.href.startsWith(`${decisions.href}/`);
  const isCurrent = (guide: Guide) => guide === shown || (isSingle && guide === decisions);
  return html`<ul>
<li><a href="/docs">Overview</a></li>
<li><a href="/docs#reference">Reference</a></li>
</ul>
<div class="shelves">${shelves.map(
    ({ name, guides }) => html`<p class="shelf">${name}</p>
<ul>${guides.map(
      (guide) => html`<li>${linkFrom(isCurrent(guide) ? guide.href : '', guide)}
${isCurrent(guide) ? below : undefined}</li>`,
    )}</ul>`,
  )}</div>`;
}

function listOf(singles: readonly Guide[]): Html {
  return html`<h1>${decisions.name}</h1>
<p>${decisions.about}</p>
<ul>${singles.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>`)}</ul>`;
}

function entryOf(guide: Guide, { id, depth, text, body }: Heading): SearchEntry {
  const about = body.slice(0, mostWordsOf);
  const name = depth === 1 ? guide.name : text;
  return { kind: 'guide', name, of: guide.name, about, href: `${guide.href}#${id}` };
}
