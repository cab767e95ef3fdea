/**
 * The pages of the reference at /docs, plain HTML made of the OpenAPI document: an overview, which
 * lists the guides too, a page for each group of operations and one for the errors
 * (docs/decisions/own-reference-page.md).
 */
import { refusalReasons } from '../../wire/beacon.ts';
import { faultCatalogue } from '../../wire/faults.ts';
import { shelves } from '../guides/guide-list.ts';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import type { PlainFrame } from '../plain-frame.ts';
import { frame, linkFrom } from './frame.ts';
import { type Html, html, inline, prose } from './html.ts';
import { operationSection, type PathOperation } from './operation-section.ts';

interface Group {
  readonly name: string;
  readonly href: string;
  readonly description: string;
  readonly operations: readonly PathOperation[];
}

/** Every page by its path. */
export function referencePages(
  document: OpenApiDocument,
  around: PlainFrame,
): ReadonlyMap<string, string> {
  const groups = groupsOf(document);
  const site = document.info.title;
  const page = (href: string, title: string, main: Html) => {
    const parts = { site, title, navigation: navigation(groups, href), main, around };
    return [href, frame(parts).text] as const;
  };
  return new Map([
    page('/docs', 'Documentation', overview(document, groups)),
    ...groups.map((group) => page(group.href, group.name, groupPage(document, group))),
    page(errors.href, errors.name, errorPage()),
  ]);
}

export function groupsOf({ tags, paths }: OpenApiDocument): Group[] {
  // By path: what belongs together stands together, whichever route was added first.
  const sorted = Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1));
  const all = sorted.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map(({ name, description }) => ({
    name,
    href: `/docs/${name.toLowerCase().replaceAll(' ', '-')}`,
    description,
    operations: all.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

const errors = { name: 'Errors', href: '/docs/errors' };

/** What the pages of the reference have beside them. */
function navigation(groups: readonly Group[], href: string): Html {
  return html`<ul>
<li>${linkFrom(href, { name: 'Overview', href: '/docs' })}</li>
<li><a href="/docs#guides">Guides</a></li>
${groups.map(
  (group) => html`<li>${linkFrom(href, group)}
${group.href === href ? operationLinks(group) : undefined}</li>`,
)}
<li>${linkFrom(href, errors)}</li>
<li><a href="/openapi.json">OpenAPI document</a></li>
</ul>`;
}

function operationLinks({ href, operations }: Group): Html {
  return html`<ul class="operations">${operations.map(
    ({ operation: { operationId, summary } }) =>
      html`<li><a href="${href}#${operationId}">${summary}</a></li>`,
  )}</ul>`;
}

function overview(document: OpenApiDocument, groups: readonly Group[]): Html {
  const { title, version, description } = document.info;
  const ways = Object.values(document.components.securitySchemes);
  return html`<h1>${title} documentation</h1>
<h2 id="guides">Guides</h2>
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
<h2 id="reference">Reference</h2>
<p class="version">Version ${version} of the interface</p>
${prose(description)}
${ways.map((way) => prose(way.description))}
<div class="contents">
${groups.map(
  (group) => html`<section>
<h3><a href="${group.href}">${group.name}</a></h3>
${prose(group.description)}
${operationLinks(group)}
</section>`,
)}
<section>
<h3><a id="errors" href="${errors.href}">${errors.name}</a></h3>
<p>Every error code, and what to do about it.</p>
</section>
</div>`;
}

function groupPage(document: OpenApiDocument, group: Group): Html {
  return html`<h1>${group.name}</h1>
${prose(group.description)}
<div class="on-this-page"><h2>On this page</h2>${operationLinks(group)}</div>
${group.operations.map((at) => operationSection(document, at))}`;
}

function errorPage(): Html {
  return html`<h1>${errors.name}</h1>
${prose(
  'Every error is sent as `application/problem+json` (RFC 9457). Switch on its `code`, which ' +
    'never changes; `detail` explains the case to people.',
)}
<dl class="members">${Object.entries(faultCatalogue).map(([code, { status, title, advice }]) =>
    codeHtml(code, String(status), `${title}. ${advice}`),
  )}</dl>
<h2>Refused beacons</h2>
${prose(
  'A refused beacon does not make its request fail: the answer is 200 and lists the beacon under ' +
    '`rejected` with one of these codes.',
)}
<dl class="members">${Object.entries(refusalReasons).map(([code, why]) =>
    codeHtml(code, '', `${why}.`),
  )}</dl>`;
}

function codeHtml(code: string, mark: string, about: string): Html {
  return html`<div id="${code}">
<dt><a href="#${code}"><code>${code}</code></a> <span>${mark}</span></dt>
<dd>${inline(about)}</dd>
</div>`;
}
