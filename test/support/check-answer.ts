/** Holds an answer to the OpenAPI document: status, content type, headers and body. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeInterface } from '../../src/http/app.ts';
import type {
  HeaderObject,
  OperationObject,
  ResponseObject,
  SchemaObject,
} from '../../src/http/openapi/openapi.ts';
import { resolve } from '../../src/http/openapi/openapi.ts';

// Of the code as it is; generated.test.ts holds the committed file to it.
const document = await describeInterface();

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'openapi.json');
const validators = new Map<SchemaObject, ValidateFunction>();

/** Pages for people, scripts and media are not part of the interface. */
const besides = /^\/(?:$|docs\b|watch\/|watch-assets\/|content\/|tracker\.m?js$)/;

/** What is the same for every path: no route, or not this method. */
const anywhere: Readonly<Record<number, string>> = { 404: 'NotFound', 405: 'MethodNotAllowed' };

/** Answers the response, unread; throws where it is not as the document says. */
export async function checkAnswer(method: string, response: Response): Promise<Response> {
  const { pathname } = new URL(response.url);
  const operation = operationAt(method, pathname);
  if (!operation && besides.test(pathname) && response.ok) return response;
  if (method === 'OPTIONS' && response.status === 204) return response;
  const what = `${method} ${pathname} -> ${response.status}`;
  const documented = operation?.responses[response.status];
  const name = anywhere[response.status];
  const expected =
    documented ?? (!operation && name ? document.components.responses[name] : undefined);
  if (expected === undefined) throw new Error(`${what}: the document knows no such answer`);

  const answer = resolve<ResponseObject>(document, expected);
  const faults = checkHeaders(answer, response);
  if (method !== 'HEAD') faults.push(...(await checkBody(answer, response.clone())));
  if (faults.length > 0) throw new Error(`${what}: ${faults.join('; ')}`);
  return response;
}

function operationAt(method: string, pathname: string): OperationObject | undefined {
  const segments = pathname.split('/');
  const [, methods] =
    Object.entries(document.paths).find(([template]) => {
      const parts = template.split('/');
      return (
        parts.length === segments.length &&
        parts.every((part, index) => part.startsWith('{') || part === segments[index])
      );
    }) ?? [];
  return methods?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
}

function checkHeaders({ headers = {} }: ResponseObject, response: Response): string[] {
  return Object.entries(headers).flatMap(([name, reference]) => {
    const { required, schema } = resolve<HeaderObject>(document, reference);
    const text = response.headers.get(name);
    if (text === null) return required ? [`lacks the header ${name}`] : [];
    return check(schema, schema.type === 'integer' ? Number(text) : text, `header ${name}`);
  });
}

async function checkBody({ content }: ResponseObject, response: Response): Promise<string[]> {
  const text = await response.text();
  if (!content) return text === '' ? [] : ['has a body'];
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'none';
  const documented = content[type];
  if (!documented) return [`has the content type ${type}`];
  return check(documented.schema, type.endsWith('json') ? JSON.parse(text) : text, 'body');
}

function check(schema: SchemaObject, value: unknown, where: string): string[] {
  const validate = validators.get(schema) ?? ajv.compile(absolute(schema));
  validators.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${where}${error.instancePath} ${error.message}`);
}

/** References of a part, made to point into the whole. */
function absolute(schema: SchemaObject): object {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi.json#/');
  return JSON.parse(text) as object;
}
