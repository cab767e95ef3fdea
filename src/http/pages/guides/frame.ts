/** What is around each page of the documentation: head, search and navigation. */
import { type Language, type Say, wordsFor } from '../messages/messages.ts';
import type { PlainFrame } from '../page-frame.ts';
import { Html, html } from './html.ts';

/** What is the same around all pages for one reader. */
export interface PageContext {
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

export function frame({ title, navigation, main, mainLanguage, around }: Frame): Html {
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
export function linkFrom(from: string, to: { readonly name: string; readonly href: string }): Html {
  const current = to.href === from ? html` aria-current="page"` : undefined;
  return html`<a href="${to.href}"${current}>${to.name}</a>`;
}
