/** docs/configuration.md, out of the schema of the environment. */
import type { TSchema } from 'typebox';

interface Variable {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly examples?: readonly string[];
}

type Sections = Readonly<Record<string, Readonly<Record<string, TSchema>>>>;

export function configurationPage(sections: Sections): string {
  const parts = Object.entries(sections).map(([title, variables]) => {
    const rows = Object.entries(variables).map(([name, schema]) => rowOf(name, schema as Variable));
    return `## ${title}\n\n${head}\n${rows.join('\n')}\n`;
  });
  return `${opening}\n${parts.join('\n')}`;
}

const opening = `<!-- Generated from src/config/config.ts by \`npm run generate\`. -->
# Configuration

Playmeter reads its configuration from the environment, once, when it starts; every verb of the
command line reads the same. Nothing has to be set. A variable that is empty counts as not set. A
value that is not valid stops the start, with every mistake named at once.

\`\`\`sh
PORT=9000 DATA_DIR=/var/lib/playmeter npm start
\`\`\`
`;

const head = '| Variable | Takes | Default | |\n|---|---|---|---|';

function rowOf(name: string, variable: Variable): string {
  const { description = '' } = variable;
  // Where the default is no value but a rule, the description ends with it.
  const [about, rule] = description.split(/; default:? /);
  const initial = rule ?? defaultOf(variable);
  return `| \`${name}\` | ${takes(variable)} | ${initial} | ${about} |`;
}

function defaultOf({ default: initial }: Variable): string {
  if (initial === undefined) return 'not set';
  return initial === '' ? 'empty' : `\`${String(initial)}\``;
}

function takes(variable: Variable): string {
  const { type, enum: choices, minimum, maximum, minLength, examples } = variable;
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (type === 'integer') return `${grouped(minimum)} to ${grouped(maximum)}`;
  if (examples) return `such as \`${examples.join(', ')}\``;
  return minLength === undefined ? 'text' : `text, at least ${minLength} characters`;
}

function grouped(bound = 0): string {
  return bound.toLocaleString('en');
}
