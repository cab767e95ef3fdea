/**
 * The pages of the reference at /docs, plain HTML made of the OpenAPI document: an overview, which
 * lists the guides too, a page for each group of operations and one for the errors
 * (docs/decisions/openapi-from-operations.md).
 */

import { faultCatalogue } from '../../../vocabulary/faults.ts';
import { refusalReasons } from '../../../wire/beacons/beacon.ts';
import type { OpenApiDocument } from '../../openapi/openapi.ts';
import { shelvesIn } from '../guide-list.ts';
import type { MessageName, Say } from '../messages/messages.ts';
import { frame, linkFrom, type PageContext } from './frame.ts';
import { type Html, html, inEnglish, inline, prose } from './html.ts';
import { operationSection, type PathOperation } from './operation-section.ts';

interface Group {
  readonly name: string;
  /** Of its page, and of its name in the catalogues. */
  readonly slug: string;
  readonly href: string;
  readonly description: string;
  readonly operations: readonly PathOperation[];
}

/** Every page by its path. */
export function referencePages(
  document: OpenApiDocument,
  around: PageContext,
): ReadonlyMap<string, string> {
  const { say } = around;
  const groups = groupsOf(document);
  const page = (href: string, title: string, main: Html) => {
    const parts = { title, navigation: navigation(groups, href, say), main, around };
    return [href, frame(parts).text] as const;
  };
  return new Map([
    page('/docs', say('docs.title'), overview(document, groups, around)),
    ...groups.map((group) => page(group.href, nameOf(group, say), groupPage(document, group, say))),
    page(errorsHref, say('docs.errors'), errorPage(say)),
  ]);
}

function nameOf({ slug }: Group, say: Say): string {
  return say(`group.${slug}` as MessageName);
}

export function groupsOf({ tags, paths }: OpenApiDocument): Group[] {
  // By path: what belongs together stands together, whichever route was added first.
  const sorted = Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1));
  const all = sorted.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map(({ name, description }) => {
    const slug = name.toLowerCase().replaceAll(' ', '-');
    const operations = all.filter(({ operation }) => operation.tags.includes(name));
    return { name, slug, href: `/docs/${slug}`, description, operations };
  });
}

const errorsHref = '/docs/errors';

/** What the pages of the reference have beside them. */
function navigation(groups: readonly Group[], href: string, say: Say): Html {
  return html`<ul>
<li>${linkFrom(href, { name: say('docs.overview'), href: '/docs' })}</li>
<li><a href="/docs#guides">${say('docs.guides')}</a></li>
${groups.map(
  (group) => html`<li>${linkFrom(href, { name: nameOf(group, say), href: group.href })}
${group.href === href ? operationLinks(group) : undefined}</li>`,
)}
<li>${linkFrom(href, { name: say('docs.errors'), href: errorsHref })}</li>
<li><a href="/openapi.json">${say('docs.openapi')}</a></li>
</ul>`;
}

function operationLinks({ href, operations }: Group): Html {
  return html`<ul class="operations" lang="en">${operations.map(
    ({ operation: { operationId, summary } }) =>
      html`<li><a href="${href}#${operationId}">${summary}</a></li>`,
  )}</ul>`;
}

function overview(
  document: OpenApiDocument,
  groups: readonly Group[],
  { site, say }: PageContext,
): Html {
  const { version, description } = document.info;
  const ways = Object.values(document.components.securitySchemes);
  return html`<h1>${say('docs.of', { site })}</h1>
<h2 id="guides">${say('docs.guides')}</h2>
<div class="contents">
${shelvesIn(say).map(
  ({ name, guides }) => html`<section>
<h3>${name}</h3>
<ul class="guides">${guides.map(
    (guide) => html`<li><a href="${guide.href}">${guide.name}</a> ${guide.about}</li>`,
  )}</ul>
</section>`,
)}
</div>
<h2 id="reference">${say('docs.reference')}</h2>
<p class="version">${say('docs.version', { version })}</p>
${inEnglish(html`${[description, ...ways.map((way) => way.description)].map(prose)}`)}
<div class="contents">
${groups.map(
  (group) => html`<section>
<h3><a href="${group.href}">${nameOf(group, say)}</a></h3>
${inEnglish(prose(group.description))}
${operationLinks(group)}
</section>`,
)}
<section>
<h3><a id="errors" href="${errorsHref}">${say('docs.errors')}</a></h3>
<p>${say('docs.errors.what')}</p>
</section>
</div>`;
}

function groupPage(document: OpenApiDocument, group: Group, say: Say): Html {
  return html`<h1>${nameOf(group, say)}</h1>
${inEnglish(prose(group.description))}
<div class="on-this-page"><h2>${say('reference.on-this-page')}</h2>${operationLinks(group)}</div>
${group.operations.map((at) => operationSection(document, at, say))}`;
}

function errorPage(say: Say): Html {
  return html`<h1>${say('docs.errors')}</h1>
${prose(say('reference.errors'))}
<dl class="members">${Object.entries(faultCatalogue).map(([code, { status, title, advice }]) =>
    codeHtml(code, String(status), `${title}. ${advice}`),
  )}</dl>
<h2>${say('reference.refused')}</h2>
${prose(say('reference.refused.what'))}
<dl class="members">${Object.entries(refusalReasons).map(([code, why]) =>
    codeHtml(code, '', `${why}.`),
  )}</dl>`;
}

function codeHtml(code: string, mark: string, about: string): Html {
  return html`<div id="${code}">
<dt><a href="#${code}"><code>${code}</code></a> <span>${mark}</span></dt>
<dd lang="en">${inline(about)}</dd>
</div>`;
}
