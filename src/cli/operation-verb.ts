/** Makes a verb of a management operation: its options give the members of the operation. */
import Type, { type TObject } from 'typebox';
import { createRuleReader } from '../alerts/rule-parser.ts';
import { isNumeric } from '../operations/command-options.ts';
import type {
  AnyCommand,
  ManagementOperation,
  Members,
  OperationServices,
  Texts,
} from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { checkMessage } from '../wire/message-check.ts';
import { type Arguments, WrongUsage } from './runner/arguments.ts';
import { accountOption, byOptions, jsonOption, type Option } from './runner/options.ts';
import { withCatalog } from './runner/with-catalog.ts';
import type { Parts, Verb } from './verb.ts';

/** Of a list that is shown whole. */
const everything = { page: 1, pageSize: Number.MAX_SAFE_INTEGER };

/** The verbs of all operations, by their words. */
export const operationVerbs: ReadonlyMap<string, Verb> = new Map(
  operations.flatMap((operation) =>
    (operation.commands ?? []).map((command) => [command.words, createVerb(operation, command)]),
  ),
);

function createVerb(operation: ManagementOperation, command: AnyCommand): Verb {
  const { words, summary } = command;
  const options = Object.entries(command.options).map(
    ([name, { member: _, read: __, ...option }]): [string, Option] => [
      name,
      { type: 'string', ...option },
    ],
  );
  const memberByOption = Object.fromEntries(
    Object.entries(command.options).map(([name, { member = name }]) => [name, member]),
  );
  return {
    words,
    summary,
    options: { account: accountOption, ...Object.fromEntries(options), json: jsonOption },
    run: async (given, parts) => {
      const accountId = given.id('account');
      try {
        const { members, texts } = await readOptions(operation, command, given);
        const own = { accountId, services: createServices(parts), ...placed(operation, members) };
        return await withCatalog(parts, async (catalog) => {
          const call = { ...own, catalog };
          if (command.run) return command.run(call, texts);
          const { publicUrl } = parts.content;
          const answer = await operation.run?.(call);
          return command.show?.(answer, { accountId, given: members, publicUrl });
        });
      } catch (error) {
        throw byOptions(error, memberByOption);
      }
    },
  };
}

async function readOptions(
  { path, query, body }: ManagementOperation,
  { options, fixed }: AnyCommand,
  given: Arguments,
): Promise<{ members: Members; texts: Texts }> {
  const schemas = { ...body?.properties, ...query?.properties, ...path?.properties };
  const members: Record<string, unknown> = { ...fixed };
  const texts: Record<string, string> = {};
  for (const [name, { member = name, read, default: initial }] of Object.entries(options)) {
    if (!given.has(name) && initial === undefined) continue;
    texts[member] = given.text(name);
    members[member] = read ? await read(given.text(name)) : readAs(schemas[member], name, given);
  }
  return { members, texts };
}

function readAs(nullable: unknown, option: string, given: Arguments): unknown {
  const schema = Type.IsUnion(nullable)
    ? nullable.anyOf.find((variant) => !Type.IsNull(variant))
    : nullable;
  if (Type.IsArray(schema)) {
    const texts = given.text(option).split(',');
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }
  if (Type.IsInteger(schema) && 'minimum' in schema && schema.minimum === 1)
    return given.id(option);
  return isNumeric(schema) ? given.number(option) : given.text(option);
}

/** Each member where the operation takes it. */
function placed({ method, path, query, body }: ManagementOperation, members: Members) {
  const of = (schema: TObject | undefined) =>
    Object.entries(members).filter(([name]) => schema && name in schema.properties);
  const changes = Object.fromEntries(
    of(body).filter(([name]) => !(path && name in path.properties)),
  );
  if (method === 'PATCH' && Object.keys(changes).length === 0) {
    throw new WrongUsage('give at least one option to change');
  }
  return {
    path: Object.fromEntries(of(path)),
    query: {
      ...(query && 'page' in query.properties ? everything : {}),
      ...Object.fromEntries(of(query)),
    },
    body: body ? checkMessage(body, changes) : {},
  };
}

function createServices({ signingSealer, ruleContext }: Parts): OperationServices {
  return { signingSealer, ruleReader: async () => createRuleReader(await ruleContext()) };
}
