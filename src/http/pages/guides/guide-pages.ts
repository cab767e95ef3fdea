/**
 * The documentation at /docs: Markdown files of this project as pages, with the pictures they show.
 * Made when one is first asked for, all at once.
 */
import { join, posix } from 'node:path';
import { projectFolder } from '../../../lib/folders.ts';
import {
  type Guide,
  isDecisions,
  isSingleDecision,
  readGuide,
  referenceOverview,
  type Shelf,
  shelvesIn,
  singleDecisions,
} from '../guide-list.ts';
import { type Language, type Say, wordsFor } from '../messages/messages.ts';
import type { PlainFrame } from '../page-frame.ts';
import { type Heading, renderGuide } from './guide-renderer.ts';
import { Html, html } from './html.ts';

/** A part of a page, for the search. Short names: the index is sent whole. */
interface SearchEntry {
  readonly name: string;
  /** What the page is called. */
  readonly of: string;
  readonly about: string;
  readonly href: string;
  /** Which of its texts are in English whatever the reader's language is. */
  readonly english: readonly ('name' | 'of')[];
}

export interface GuideSite {
  /** Every page by its path. */
  readonly pages: ReadonlyMap<string, string>;
  /** The file of every picture by its path. */
  readonly pictures: ReadonlyMap<string, string>;
  readonly entries: readonly SearchEntry[];
}

const elsewhere: Readonly<Record<string, string>> = {
  'docs/openapi.json': '/openapi.json',
  [referenceOverview]: '/docs#reference',
};
const pictureTypes = ['.png', '.svg', '.webp'];
/** Enough for every field of an operation, or of an object. */
const mostWordsOf = 2_000;

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
      ? { main: renderList(guide, singles), headings: [] }
      : renderGuide(guide.file, readGuide(guide.file), { hrefOf });
    const page = frame({
      title: guide.name,
      navigation: renderNavigation({ shown: guide, headings, shelves, say }),
      main: html`<article>${main}</article>`,
      ...(!isDecisions(guide) && { mainLanguage: 'en' as const }),
      around,
    });
    return { guide, page: page.text, headings };
  });
  const overview = frame({
    title: say('docs.title'),
    navigation: renderNavigation({ shown: undefined, headings: [], shelves, say }),
    main: renderOverview(shelves, around, hrefOf),
    around,
  });
  return {
    pages: new Map([
      ['/docs', overview.text],
      ...made.map(({ guide, page }) => [guide.href, page] as const),
    ]),
    pictures,
    entries: made.flatMap(({ guide, headings }) => headings.map((at) => createEntry(guide, at))),
  };
}

/** Lists the guides, and then all operations. */
function renderOverview(
  shelves: readonly Shelf[],
  { site, say }: PageContext,
  hrefOf: (file: string) => string | undefined,
): Html {
  const reference = renderGuide(referenceOverview, readGuide(referenceOverview), { hrefOf }).main;
  return html`<h1>${say('docs.of', { site })}</h1>
<h2 id="guides">${say('docs.guides')}</h2>
<div class="contents">
${shelves.map(
  ({ name, guides }) => html`<section>
<h3>${name}</h3>
<ul class="guides">${guides.map(
    (guide) => html`<li><a href="${guide.href}">${guide.name}</a> ${guide.about}</li>`,
  )}</ul>
</section>`,
)}
</div>
<article lang="en">
${new Html(reference.text.replace(/<h1.*<\/h1>/, '<h2 id="reference">Reference</h2>'))}
</article>`;
}

interface NavigationParts {
  /** Undefined: the overview. */
  readonly shown: Guide | undefined;
  readonly headings: readonly Heading[];
  readonly shelves: readonly Shelf[];
  readonly say: Say;
}

function renderNavigation({ shown, headings, shelves, say }: NavigationParts): Html {
  const parts = headings.filter(({ depth }) => depth === 2);
  const below =
    parts.length > 1
      ? html`<ul lang="en">${parts.map(
          ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
        )}</ul>`
      : undefined;
  const isCurrent = (guide: Guide) =>
    guide === shown || (shown && isSingleDecision(shown) && isDecisions(guide));
  const overview = { name: say('docs.overview'), href: '/docs' };
  return html`<ul>
<li>${linkFrom(shown === undefined ? '/docs' : '', overview)}</li>
<li><a href="/docs#reference">${say('docs.reference')}</a></li>
<li><a href="/openapi.json">${say('docs.openapi')}</a></li>
</ul>
<div class="shelves">${shelves.map(
    ({ name, guides }) => html`<p class="shelf">${name}</p>
<ul>${guides.map(
      (guide) => html`<li>${linkFrom(isCurrent(guide) ? guide.href : '', guide)}
${isCurrent(guide) ? below : undefined}</li>`,
    )}</ul>`,
  )}</div>`;
}

function renderList({ name, about }: Guide, singles: readonly Guide[]): Html {
  return html`<h1>${name}</h1>
<p>${about}</p>
<ul lang="en">${singles.map(
    (single) => html`<li><a href="${single.href}">${single.name}</a></li>`,
  )}</ul>`;
}

function createEntry(guide: Guide, { id, depth, text, body }: Heading): SearchEntry {
  const about = body.slice(0, mostWordsOf);
  const name = depth === 1 ? guide.name : text;
  const english = englishIn(guide, depth);
  return { name, of: guide.name, about, href: `${guide.href}#${id}`, english };
}

/** Guides have names in the reader's language, but for single decisions. */
function englishIn(guide: Guide, depth: number): SearchEntry['english'] {
  if (isSingleDecision(guide)) return ['name', 'of'];
  return depth === 1 ? [] : ['name'];
}

/** What is the same around all pages for one reader. */
interface PageContext {
  /** What the site is called. */
  readonly site: string;
  readonly language: Language;
  readonly say: Say;
  readonly frame: PlainFrame;
}

interface Frame {
  readonly title: string;
  readonly navigation: Html;
  readonly main: Html;
  /** Of `main`, where it is not the reader's. */
  readonly mainLanguage?: Language;
  readonly around: PageContext;
}

/** What is around each page of the documentation: head, search and navigation. */
function frame({ title, navigation, main, mainLanguage, around }: Frame): Html {
  const { site, language, say, frame } = around;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${site}</title>
${new Html(frame.head)}
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/search.js" type="module"></script>
</head>
<body data-words="${wordsFor(language, 'found')}">
<div id="root" class="docs">
${new Html(frame.start)}
<form role="search" class="search" hidden>
<label for="search">${say('docs.search')} <kbd>/</kbd></label>
<input id="search" type="search" autocomplete="off" spellcheck="false"
placeholder="${say('docs.search.what')}">
<p role="status"></p>
<ul hidden></ul>
</form>
<nav class="contents-list" aria-label="${say('docs.title')}">
${navigation}
</nav>
${new Html(frame.end)}
<main id="main" tabindex="-1" lang="${mainLanguage ?? language}">
${language === 'en' ? undefined : englishNote(around)}
${main}
</main>
</div>
</body>
</html>
`;
}

/** Says that what was written for people is not in the reader's language. */
function englishNote({ language, say }: PageContext): Html {
  return html`<p class="english" lang="${language}">${say('docs.english')}</p>`;
}

/** A link of the navigation on the page `from`. */
function linkFrom(from: string, to: { readonly name: string; readonly href: string }): Html {
  const current = to.href === from ? html` aria-current="page"` : undefined;
  return html`<a href="${to.href}"${current}>${to.name}</a>`;
}
