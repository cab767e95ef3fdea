/**
 * The reference at /docs: plain HTML made of the OpenAPI document when it is first asked for. A
 * page of our own, because the known viewers need inline styles or a CDN: our policy forbids both.
 */
import { faultCatalogue } from '../../wire/faults.ts';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import { type Html, html, inline, prose } from './html.ts';
import { operationSection, type PathOperation } from './operation-section.ts';

export function referencePage(document: OpenApiDocument): string {
  const { title, version, description } = document.info;
  const groups = document.tags.map((tag) => ({ ...tag, operations: operationsOf(document, tag) }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: reference</title>
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#main">To the reference</a>
<nav aria-label="Operations">
<p class="brand"><a href="/docs">${title}</a></p>
${groups.map(
  ({ name, operations }) => html`<h2>${name}</h2>
<ul>${operations.map(({ operation }) => link(operation.operationId, operation.summary))}</ul>`,
)}
<h2>More</h2>
<ul>${link('errors', 'Errors')}<li><a href="/openapi.json">openapi.json</a></li></ul>
</nav>
<main id="main">
<header>
<h1>${title} <span class="version">interface ${version}</span></h1>
${prose(description)}
${keySection(document)}
</header>
${groups.map(
  ({ name, description: about, operations }) => html`<section class="group">
<h2>${name}</h2>${prose(about)}
${operations.map((at) => operationSection(document, at))}
</section>`,
)}
${errorSection()}
</main>
</body>
</html>
`.text;
}

function operationsOf(document: OpenApiDocument, { name }: { name: string }): PathOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(name))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

function link(id: string, text: string): Html {
  return html`<li><a href="#${id}">${text}</a></li>`;
}

function keySection({ components }: OpenApiDocument): Html {
  const ways = Object.values(components.securitySchemes);
  return html`<div class="keys">
<h2>Keys</h2>
${ways.map((way) => prose(way.description))}
<form class="key-form" hidden>
<label for="key">Your key, for the examples on this page; it stays in this tab</label>
<input id="key" type="password" autocomplete="off" spellcheck="false">
</form>
</div>`;
}

function errorSection(): Html {
  const rows = Object.entries(faultCatalogue).map(
    ([code, { status, title, advice }]) => html`<tr>
<th scope="row"><code>${code}</code><span class="mark">${status}</span></th>
<td>${title}.<br><span class="form">${inline(advice)}</span></td></tr>`,
  );
  return html`<section class="group" id="errors">
<h2>Errors</h2>
${prose('Every error is `application/problem+json`; decide by its `code`, which does not change.')}
<div class="table codes"><table><tbody>${rows}</tbody></table></div>
</section>`;
}
