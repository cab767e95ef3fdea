/**
 * The guides at /docs/guide: Markdown files of this project as pages of the documentation, with the
 * pictures they show. Made when one is first asked for, all at once.
 */
import { join, posix } from 'node:path';
import { projectFolder } from '../../../lib/project-folder.ts';
import {
  type Guide,
  isDecisions,
  isSingleDecision,
  readGuide,
  type Shelf,
  shelvesIn,
  singleDecisions,
} from '../guide-list.ts';
import type { Say } from '../messages/messages.ts';
import { frame, linkFrom, type PageContext } from '../reference/frame.ts';
import { type Html, html } from '../reference/html.ts';
import type { SearchEntry } from '../reference/search-index.ts';
import { type Heading, renderGuide } from './guide-renderer.ts';

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

export function guideSite(around: PageContext): GuideSite {
  const { say } = around;
  const shelves = shelvesIn(say);
  const singles = singleDecisions();
  const guides = [...shelves.flatMap((shelf) => shelf.guides), ...singles];
  const pictures = new Map<string, string>();
  const hrefOf = (file: string): string | undefined => {
    if (!pictureTypes.includes(posix.extname(file))) {
      return elsewhere[file] ?? guides.find((guide) => guide.file === file)?.href;
    }
    const path = `/docs/pictures/${file.replaceAll('/', '-')}`;
    pictures.set(path, join(projectFolder, file));
    return path;
  };
  const made = guides.map((guide) => {
    const { main, headings } = isDecisions(guide)
      ? { main: listOf(guide, singles), headings: [] }
      : renderGuide(guide.file, readGuide(guide.file), { hrefOf });
    const page = frame({
      title: guide.name,
      navigation: navigationOf({ shown: guide, headings, shelves, say }),
      main: html`<article>${main}</article>`,
      ...(!isDecisions(guide) && { mainLanguage: 'en' as const }),
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

interface NavigationParts {
  readonly shown: Guide;
  readonly headings: readonly Heading[];
  readonly shelves: readonly Shelf[];
  readonly say: Say;
}

function navigationOf({ shown, headings, shelves, say }: NavigationParts): Html {
  const parts = headings.filter(({ depth }) => depth === 2);
  const below =
    parts.length > 1
      ? html`<ul lang="en">${parts.map(
          ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
        )}</ul>`
      : undefined;
  const isCurrent = (guide: Guide) =>
    guide === shown || (isSingleDecision(shown) && isDecisions(guide));
  return html`<ul>
<li><a href="/docs">${say('docs.overview')}</a></li>
<li><a href="/docs#reference">${say('docs.reference')}</a></li>
</ul>
<div class="shelves">${shelves.map(
    ({ name, guides }) => html`<p class="shelf">${name}</p>
<ul>${guides.map(
      (guide) => html`<li>${linkFrom(isCurrent(guide) ? guide.href : '', guide)}
${isCurrent(guide) ? below : undefined}</li>`,
    )}</ul>`,
  )}</div>`;
}

function listOf({ name, about }: Guide, singles: readonly Guide[]): Html {
  return html`<h1>${name}</h1>
<p>${about}</p>
<ul lang="en">${singles.map(
    (single) => html`<li><a href="${single.href}">${single.name}</a></li>`,
  )}</ul>`;
}

function entryOf(guide: Guide, { id, depth, text, body }: Heading): SearchEntry {
  const about = body.slice(0, mostWordsOf);
  const name = depth === 1 ? guide.name : text;
  const english = englishIn(guide, depth);
  return { kind: 'guide', name, of: guide.name, about, href: `${guide.href}#${id}`, english };
}

/** Guides have names in the reader's language, but for single decisions. */
function englishIn(guide: Guide, depth: number): SearchEntry['english'] {
  if (isSingleDecision(guide)) return ['name', 'of'];
  return depth === 1 ? [] : ['name'];
}
