/** Moves every schema with a title to the components, and leaves a reference in its place. */
type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [member: string]: Json;
}

export interface WithNamedSchemas {
  readonly document: JsonObject;
  /** By name, in the order of the alphabet. */
  readonly schemas: Readonly<Record<string, Json>>;
}

/** The document as plain JSON. Two different schemas of one title are a mistake of ours. */
export function nameSchemas(document: object): WithNamedSchemas {
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
