/** One operation on its page: what it takes, how to try it, what it answers. */
import { faultCatalogue } from '../../../vocabulary/faults.ts';
import type { OpenApiDocument, OperationObject, ResponseObject } from '../../openapi/openapi.ts';
import { resolve } from '../../openapi/openapi.ts';
import type { Say } from '../messages/messages.ts';
import { curlOf, exampleOf, examplePath } from './example.ts';
import { filled, Html, html, inEnglish, inline, prose } from './html.ts';
import { memberListHtml, memberLists } from './members.ts';

export interface PathOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

export function operationSection(document: OpenApiDocument, at: PathOperation, say: Say): Html {
  const { method, path, operation } = at;
  const { operationId, summary } = operation;
  return html`<article class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div>
<h2 id="${operationId}-title" lang="en"><a href="#${operationId}">${summary}</a></h2>
<p class="path"><span class="method ${method}">${method}</span> <code>${breakable(path)}</code></p>
${keyNote(operation, say)}
${inEnglish(prose(operation.description))}
${memberLists(document, operation, say).map((list) => memberListHtml(list, say))}
${answersOf(document, operation, say)}
</div>
<div>
<figure class="curl"><figcaption>${say('reference.request')}</figcaption>
<pre><code>${curlOf(document, method, path, operation)}</code></pre></figure>
${method === 'get' ? tryForm(path, operation, say) : undefined}
${exampleAnswer(document, operation, say)}
</div>
</article>`;
}

/** Long paths break after a slash. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=\/)/).map((piece) => html`${piece}<wbr>`)}`;
}

function keyNote({ security }: OperationObject, say: Say): Html {
  const scope = security[0] && Object.values(security[0])[0]?.[0];
  if (scope === undefined) return html`<p class="key">${say('reference.key.none')}</p>`;
  const isOptional = security.some((way) => Object.keys(way).length === 0);
  const isShared = security.some((way) => 'share' in way);
  const kind = isOptional ? 'optional' : isShared ? 'shared' : 'needed';
  const words = filled(say(`reference.key.${kind}`), 'scope', html`<code>${scope}</code>`);
  return html`<p class="key">${words}</p>`;
}

function answersOf(document: OpenApiDocument, operation: OperationObject, say: Say): Html {
  const answers = Object.entries(operation.responses).map(([status, reference]) => {
    const response = resolve<ResponseObject>(document, reference);
    // A reference says which of the codes this operation may answer with.
    const description = reference.description ?? response.description;
    return { status, response, description };
  });
  return html`<h3>${say('reference.answers')}</h3>
<dl class="answers">${answers.map(
    ({ status, response, description }) => html`<dt class="status-${status[0]}">${status}</dt>
<dd><span lang="en">${linkCodes(inline(description))}</span> ${headersOf(response, say)}</dd>`,
  )}</dl>`;
}

/** Every code of the error catalogue links to its place on the page of errors. */
function linkCodes({ text }: Html): Html {
  const linked = text.replaceAll(/<code>([A-Z_]+)<\/code>/g, (whole, code: string) =>
    code in faultCatalogue ? `<a href="/docs/errors#${code}">${whole}</a>` : whole,
  );
  return new Html(linked);
}

function headersOf({ headers }: ResponseObject, say: Say): Html | undefined {
  if (!headers) return undefined;
  const names = Object.keys(headers).map((name) => html` <code>${name}</code>`);
  return html`<span class="headers">${say('reference.headers')} ${names}</span>`;
}

function exampleAnswer(document: OpenApiDocument, { responses }: OperationObject, say: Say): Html {
  const [status, reference] = Object.entries(responses).find(([one]) => one.startsWith('2')) ?? [];
  const success = reference && resolve<ResponseObject>(document, reference);
  const schema = success?.content?.['application/json']?.schema;
  if (!schema) return html``;
  const text = JSON.stringify(exampleOf(document, schema), undefined, 2);
  return html`<figure><figcaption>${say('reference.example', { status: status ?? '' })}</figcaption>
<pre><code>${text}</code></pre></figure>`;
}

/** The page's script sends it; without a script it stays hidden. */
function tryForm(path: string, operation: OperationObject, say: Say): Html {
  const id = `${operation.operationId}.try`;
  return html`<form class="try" hidden>
<label for="${id}">${say('reference.try')}</label>
<div class="line"><input id="${id}" name="path" value="${examplePath(path, operation)}"
autocomplete="off" autocapitalize="off" spellcheck="false">
<button>${say('reference.try.send')}</button></div>
<p role="status"></p>
<figure hidden><figcaption>${say('reference.try.answer')}</figcaption>
<pre><code></code></pre></figure>
</form>`;
}
