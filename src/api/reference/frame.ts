/** What is around each page of the documentation: head, search and navigation. */
import { type Html, html } from './html.ts';

interface Frame {
  /** What the site is called. */
  readonly site: string;
  readonly title: string;
  readonly navigation: Html;
  readonly main: Html;
}

export function frame({ site, title, navigation, main }: Frame): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${site}</title>
<link rel="stylesheet" href="/docs/reference.css">
<link rel="stylesheet" href="/docs/guides.css">
<script src="/docs/reference.js" type="module"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<div class="side">
<header>
<p class="brand"><a href="/docs">${site}</a></p>
<form role="search" class="search" hidden>
<label for="search">Search <kbd>/</kbd></label>
<input id="search" type="search" autocomplete="off" spellcheck="false"
placeholder="Topic, operation, field, error">
<p role="status"></p>
<ul hidden></ul>
</form>
<form class="key-form" hidden>
<label for="key">API key, to try requests</label>
<input id="key" type="password" autocomplete="off" aria-describedby="key-note">
<p id="key-note">Sent to this server only; forgotten when you leave the page.</p>
</form>
</header>
<nav aria-label="Documentation">
${navigation}
</nav>
</div>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`;
}

/** A link of the navigation on the page `from`. */
export function linkFrom(from: string, to: { readonly name: string; readonly href: string }): Html {
  const current = to.href === from ? html` aria-current="page"` : undefined;
  return html`<a href="${to.href}"${current}>${to.name}</a>`;
}
