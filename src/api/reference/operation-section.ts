/** One operation on the page: what it takes, how to try it, what it answers. */
import type { OpenApiDocument, OperationObject, ResponseObject } from '../openapi/openapi.ts';
import { resolve } from '../openapi/openapi.ts';
import { curlOf, exampleAddress, exampleOf } from './example.ts';
import { type Html, html, inline, prose } from './html.ts';
import { parameterTable, schemaTable } from './schema-rows.ts';

export interface PathOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

export function operationSection(document: OpenApiDocument, at: PathOperation): Html {
  const { method, path, operation } = at;
  const { operationId, summary, parameters = [], requestBody } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  return html`<section class="operation" id="${operationId}">
<div class="told">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="address"><span class="method ${method}">${method}</span>
<code>${breakable(path)}</code></p>
${keyNote(operation)}
${prose(operation.description)}
${parameters.length > 0 ? parameterTable(parameters) : undefined}
${body ? schemaTable(document, 'Body', body.schema) : undefined}
${answersOf(document, operation)}
</div>
<div class="tried">
<figure class="curl"><figcaption>Request</figcaption>
<pre><code>${curlOf(document, method, path, operation)}</code></pre></figure>
${method === 'get' ? tryForm(path, operation) : undefined}
${exampleAnswer(document, operation)}
</div>
</section>`;
}

/** Long paths break after a slash. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=\/)/).map((piece) => html`${piece}<wbr>`)}`;
}

function keyNote({ security }: OperationObject): Html {
  const scope = security[0] && Object.values(security[0])[0]?.[0];
  if (scope === undefined) return html`<p class="key">Open: takes no key.</p>`;
  const isOptional = security.some((way) => Object.keys(way).length === 0);
  const words = isOptional ? 'Open; more is taken with a key of the scope' : 'Key with the scope';
  return html`<p class="key">${words} <code>${scope}</code></p>`;
}

function answersOf(document: OpenApiDocument, operation: OperationObject): Html {
  const answers = Object.entries(operation.responses).map(([status, reference]) => {
    const response = resolve<ResponseObject>(document, reference);
    // A reference says which of the codes this operation may answer with.
    const description = reference.description ?? response.description;
    return { status, response, description };
  });
  return html`<div class="answers"><h4>Answers</h4>
<dl>${answers.map(
    ({ status, response, description }) => html`<dt class="status-${status[0]}">${status}</dt>
<dd>${inline(description)} ${headersOf(response)}</dd>`,
  )}</dl></div>
${answers.map(({ status, response }) => answerTable(document, status, response))}`;
}

function headersOf({ headers }: ResponseObject): Html | undefined {
  if (!headers) return undefined;
  const names = Object.keys(headers).map((name) => html` <code>${name}</code>`);
  return html`<span class="headers">Headers: ${names}</span>`;
}

function answerTable(document: OpenApiDocument, status: string, response: ResponseObject): Html {
  const schema = response.content?.['application/json']?.schema;
  if (!schema || status !== '200') return html``;
  return schemaTable(document, `Answer ${status}`, schema);
}

function exampleAnswer(document: OpenApiDocument, { responses }: OperationObject): Html {
  const success = responses['200'] && resolve<ResponseObject>(document, responses['200']);
  const schema = success?.content?.['application/json']?.schema;
  if (!schema) return html``;
  const text = JSON.stringify(exampleOf(document, schema), undefined, 2);
  return html`<figure class="answer"><figcaption>Answer, by example</figcaption>
<pre><code>${text}</code></pre></figure>`;
}

/** The page's script sends it; without a script it stays hidden. */
function tryForm(path: string, operation: OperationObject): Html {
  const id = `try-${operation.operationId}`;
  return html`<form class="try" hidden>
<label for="${id}">Try it here</label>
<div class="line"><input id="${id}" name="address" value="${exampleAddress(path, operation)}"
autocomplete="off" spellcheck="false"><button>Send</button></div>
<output></output>
</form>`;
}
