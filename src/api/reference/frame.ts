/** What is around each page of the documentation: head, search and navigation. */
import type { PlainFrame } from '../plain-frame.ts';
import { Html, html } from './html.ts';

interface Frame {
  /** What the site is called. */
  readonly site: string;
  readonly title: string;
  readonly navigation: Html;
  readonly main: Html;
  readonly around: PlainFrame;
}

export function frame({ site, title, navigation, main, around }: Frame): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${site}</title>
${new Html(around.head)}
<link rel="stylesheet" href="/docs/reference.css">
<link rel="stylesheet" href="/docs/guides.css">
<script src="/docs/reference.js" type="module"></script>
</head>
<body>
<div id="root" class="docs">
${new Html(around.start)}
<form role="search" class="search" hidden>
<label for="search">Search <kbd>/</kbd></label>
<input id="search" type="search" autocomplete="off" spellcheck="false"
placeholder="Topic, operation, field, error">
<p role="status"></p>
<ul hidden></ul>
</form>
<form class="key-form" aria-label="API key" hidden>
<label for="key">API key, to try requests</label>
<input id="key" type="password" autocomplete="off" aria-describedby="key-note">
<p id="key-note">Sent to this server only; forgotten when you leave the page.</p>
</form>
<nav class="contents-list" aria-label="Documentation">
${navigation}
</nav>
${new Html(around.end)}
<main id="main" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`;
}

/** A link of the navigation on the page `from`. */
export function linkFrom(from: string, to: { readonly name: string; readonly href: string }): Html {
  const current = to.href === from ? html` aria-current="page"` : undefined;
  return html`<a href="${to.href}"${current}>${to.name}</a>`;
}
