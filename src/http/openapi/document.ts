/** The OpenAPI document, made from the operations that the routes carry. */
import type { FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { type FaultCode, faultCatalogue, Problem } from '../../vocabulary/faults.ts';
import { shareHeader } from '../../wire/management/shares.ts';
import { type HeaderName, headers } from './headers.ts';
import type { OpenApiDocument } from './openapi.ts';
import { type Answer, createTemplate, type Operation, type Tag, tags } from './operation.ts';

export interface Route {
  readonly method: string;
  readonly url: string;
  readonly operation: Operation;
}

export interface NotedRoutes {
  readonly described: readonly Route[];
  /** Paths of routes without an operation: pages for people, scripts and media. */
  readonly others: ReadonlySet<string>;
}

/** Notes the routes that are added after it. */
export function noteRoutes(app: FastifyInstance): NotedRoutes {
  const described: Route[] = [];
  const others = new Set<string>();
  app.addHook('onRoute', ({ method, url, config }) => {
    const operation = config?.operation;
    if (!operation) return void others.add(url);
    for (const one of [method].flat()) {
      // Fastify adds a HEAD to every GET; it goes without saying.
      if (one !== 'HEAD') described.push({ method: one.toLowerCase(), url, operation });
    }
  });
  return { described, others };
}

export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const used = new Set<Tag>(routes.map(({ operation }) => operation.tag));
  const { document, schemas } = nameSchemas({
    openapi: '3.1.1',
    info,
    servers: [{ url: '/' }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name as Tag))
      .map(([name, description]) => ({ name, description })),
    paths: describePaths(routes),
    components: {
      securitySchemes,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, header]) => [name, { required: true, ...header }]),
      ),
      responses: problemResponses(),
    },
  });
  const components = { schemas, ...(document.components as object) };
  return { ...document, components } as unknown as OpenApiDocument;
}

const info = {
  title: 'Playmeter',
  // Of the interface, not of the program: it moves when the interface does.
  version: '1.0.0',
  summary: 'Video playback statistics and video information.',
  description: [
    'Playmeter reports how often and how long your videos were played.',
    'A *play* is a view whose playback started, counted once, at the time it started. *Playback ' +
      'time* is the clock time during which the media advanced; pauses, stalls and seeks do not ' +
      'count. All numbers in the rows of statistics are JSON strings.',
    'An *account* owns videos. Original videos live in *folders*, under their `accessKey`. To be ' +
      'played, a video is put into a *package*, which gives it a `videoKey`; players report ' +
      'under that. Both are public; an API key is secret.',
    'Unknown query parameters are ignored, and so are empty optional ones, except in a `DELETE`; ' +
      'one that is sent twice, or is badly percent-encoded, is an error. Errors are ' +
      '`application/problem+json` (RFC 9457) and list every invalid parameter at once. An ' +
      'unknown path answers `404 NOT_FOUND`, an unsupported method `405 METHOD_NOT_ALLOWED` ' +
      'with the header `Allow`.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description:
      'Send your API key in the header `x-api-key`, and keep it secret. A key belongs to one ' +
      'account and has scopes: `stats:read` for `/report`, `info:read` for `/info`, ' +
      '`collect:write` for `/collect`, `manage` for `/manage`. Never put it into a URL: it is ' +
      'not read there, and URLs are logged.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same key can be sent as `Authorization: Bearer YOUR_KEY`.',
  },
  share: {
    type: 'apiKey',
    in: 'header',
    name: shareHeader,
    description:
      'Where the link of a share is enough, send its two parts, without `#` between them, in the ' +
      'header `x-playmeter-share`.',
  },
};

function describePaths(routes: readonly Route[]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, url, operation } of routes) {
    const template = createTemplate(url);
    paths[template] = { ...paths[template], [method]: operationObject(operation) };
  }
  return paths;
}

function operationObject(operation: Operation): object {
  const { operationId, tag, summary, path, query, body, bodyIsOptional } = operation;
  const parameters = [
    ...describeParameters('path', path),
    ...describeParameters('query', query),
    ...describeParameters('header', operation.headers),
  ];
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    describeResponse(answer),
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    ...describeOperation(operation),
    security: describeSecurity(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: !bodyIsOptional, content: describeContent(body) } } : {}),
    responses: { ...Object.fromEntries(answers), ...problemReferences(listFaults(operation)) },
  };
}

const ofRoles: Readonly<Record<NonNullable<Operation['role']>, string>> = {
  person: 'For people who are signed in; no key may.',
  operator: 'For operators of the service; no key may.',
  owner: 'Of people, owners may.',
  manager: 'Of people, owners and managers may.',
  analyst: 'Of people, every member may.',
};

function describeOperation({ description, role }: Operation): { description?: string } {
  const paragraphs = [description ?? [], role === undefined ? [] : ofRoles[role]].flat();
  return paragraphs.length === 0 ? {} : { description: paragraphs.join('\n\n') };
}

function describeParameters(
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
): object[] {
  const required = new Set<string>((schema?.required ?? []) as string[]);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string };
    // A default takes the place of what is missing: nobody has to send it.
    const isRequired = place === 'path' || (required.has(name) && !('default' in rest));
    const own = Object.entries(rest);
    const extensions = own.filter(([key]) => key.startsWith('x-'));
    return {
      name,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      ...Object.fromEntries(extensions),
      schema: Object.fromEntries(own.filter(([key]) => !key.startsWith('x-'))),
    };
  });
}

function describeResponse({ description, headers: names, content }: Answer): object {
  return {
    description,
    ...(names ? { headers: headerReferences(names) } : {}),
    ...(content ? { content: describeContent(content) } : {}),
  };
}

function describeContent(content: Readonly<Record<string, TSchema>>): object {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));
}

/** Role names beside schemes other than OAuth are new in 3.1: here, the scopes of a key. */
function describeSecurity({ scope, keyIsOptional, isForShares }: Operation): object[] {
  if (scope === undefined) return [];
  const otherwise = [...(isForShares ? [{ share: [] }] : []), ...(keyIsOptional ? [{}] : [])];
  return [{ apiKey: [scope] }, { bearer: [scope] }, ...otherwise];
}

function listFaults({ scope, faults = [] }: Operation): Set<FaultCode> {
  const ofKey: readonly FaultCode[] =
    scope === undefined
      ? []
      : // What another account has does not exist, nor does an account of which one is no member.
        ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'];
  return new Set<FaultCode>([...faults, ...ofKey, 'INTERNAL']);
}

/** Moves every schema with a title to the components, and leaves a reference in its place. */
type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [member: string]: Json;
}

interface WithNamedSchemas {
  readonly document: JsonObject;
  /** By name, in the order of the alphabet. */
  readonly schemas: Readonly<Record<string, Json>>;
}

/** The document as plain JSON. Two different schemas of one title are a mistake of ours. */
function nameSchemas(document: object): WithNamedSchemas {
  const named = new Map<string, { text: string; schema: Json }>();

  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const { title } = value;
    const walked = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, walk(member)]),
    );
    // The document's own title stands beside a version; a property may be called "title" as well.
    if (typeof title !== 'string' || !('type' in value)) return withType(walked);
    const text = JSON.stringify(value);
    const same = named.get(title);
    if (same && same.text !== text) throw new Error(`Two different schemas are called ${title}`);
    named.set(title, { text, schema: walked });
    return { $ref: `#/components/schemas/${title}` };
  };

  const walked = walk(JSON.parse(JSON.stringify(document)) as Json) as JsonObject;
  const sorted = [...named].sort(([one], [other]) => (one < other ? -1 : 1));
  const schemas = Object.fromEntries(sorted.map(([title, { schema }]) => [title, schema]));
  return { document: walked, schemas };
}

/** JSON Schema lets an enumeration go without a type; most readers of OpenAPI want one. */
function withType(schema: JsonObject): JsonObject {
  const { enum: allowed } = schema;
  const isText = Array.isArray(allowed) && allowed.every((value) => typeof value === 'string');
  return isText && !('type' in schema) ? { type: 'string', ...schema } : schema;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

const codes = Object.keys(faultCatalogue) as FaultCode[];

const names: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  500: 'Internal',
  503: 'Unavailable',
  505: 'VersionNotSupported',
};

const headersByStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['RateLimit-Policy', 'RateLimit', 'Retry-After'],
  503: ['Retry-After'],
};

/**
 * The answers to what goes wrong, a response a status, out of the error catalogue. References for
 * the codes that an operation may answer with, by status.
 */
function problemReferences(operationCodes: ReadonlySet<FaultCode>): Record<string, object> {
  const references: Record<string, object> = {};
  for (const [status, own] of byStatus(codes.filter((code) => operationCodes.has(code)))) {
    const $ref = `#/components/responses/${names[status]}`;
    references[status] = { $ref, description: describe(own) };
  }
  return references;
}

function problemResponses(): Record<string, object> {
  const responses: Record<string, object> = {};
  for (const [status, own] of byStatus(codes)) {
    const name = names[status];
    if (name === undefined) throw new Error(`The status ${status} has no name in OpenAPI yet`);
    const headers = headersByStatus[status] ?? [];
    const narrowed = { properties: { status: { const: status }, code: { enum: own } } };
    responses[name] = {
      description: describe(own),
      ...(headers.length > 0 ? { headers: headerReferences(headers) } : {}),
      content: { 'application/problem+json': { schema: { allOf: [Problem, narrowed] } } },
    };
  }
  return responses;
}

function headerReferences(names: readonly HeaderName[]): Record<string, object> {
  const reference = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });
  return Object.fromEntries(names.map((name) => [name, reference(name)]));
}

function byStatus(some: readonly FaultCode[]): Map<number, FaultCode[]> {
  return Map.groupBy(some, (code) => faultCatalogue[code].status);
}

function describe(some: readonly FaultCode[]): string {
  return some.map((code) => `\`${code}\`: ${faultCatalogue[code].title}.`).join(' ');
}
