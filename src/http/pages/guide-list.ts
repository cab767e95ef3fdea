/** The guides that the service shows at /docs/guide: files of this project, in reading order. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { projectFolder } from '../../lib/folders.ts';
import { tags } from '../openapi/operation.ts';
import type { MessageName, Say } from './messages/messages.ts';

export interface Guide {
  /** In the project's folder, as `docs/players.md`. */
  readonly file: string;
  readonly href: string;
  readonly name: string;
  readonly about: string;
}

export interface Shelf {
  readonly name: string;
  readonly guides: readonly Guide[];
}

/** What stands behind `guide.` and `shelf.` in the catalogues. */
type NameOf<Start extends string> = MessageName extends infer Name
  ? Name extends `${Start}.${infer Rest}`
    ? Rest extends `${string}.about`
      ? never
      : Rest
    : never
  : never;
type Slug = NameOf<'guide'>;

const decisionsFolder = 'docs/decisions';
const decisionsHref = createHref('decisions');

type Placed = Exclude<NameOf<'shelf'>, 'reference'>;
/** Every guide but the reference and the single decisions. */
const placed: Readonly<Record<Placed, readonly (readonly [file: string, Slug])[]>> = {
  start: [
    ['README.md', 'start'],
    ['docs/players.md', 'players'],
    ['tracker/README.md', 'tracker'],
    ['docs/senders.md', 'senders'],
    ['docs/dashboard.md', 'dashboard'],
  ],
  ask: [
    ['docs/questions.md', 'questions'],
    ['docs/quality.md', 'quality'],
    ['client/README.md', 'client'],
  ],
  operate: [
    ['docs/configuration.md', 'configuration'],
    ['deploy/README.md', 'deploying'],
    ['docs/operating.md', 'operating'],
    ['docs/people.md', 'people'],
    ['docs/alerts.md', 'alerts'],
    ['docs/proxy.md', 'proxy'],
    ['docs/blockers.md', 'blockers'],
    ['docs/performance.md', 'performance'],
    ['docs/scaling.md', 'scaling'],
    ['docs/signed-views.md', 'signed-views'],
    ['docs/unusual-playback.md', 'unusual-playback'],
  ],
  trust: [
    ['SECURITY.md', 'security'],
    ['docs/privacy.md', 'privacy'],
    ['docs/attacks.md', 'attacks'],
    ['docs/security-updates.md', 'security-updates'],
    ['docs/asvs.md', 'asvs'],
    ['docs/licences.md', 'licences'],
  ],
  background: [
    ['ARCHITECTURE.md', 'how-it-works'],
    ['docs/comparison.md', 'comparison'],
    [decisionsFolder, 'decisions'],
    ['CHANGELOG.md', 'changes'],
  ],
};

export function shelvesIn(say: Say): Shelf[] {
  const shelves = Object.entries(placed) as [Placed, (typeof placed)['start']][];
  const written = shelves.map(([name, guides]) => ({
    name: say(`shelf.${name}`),
    guides: guides.map(([file, slug]) => ({
      ...{ file, href: createHref(slug) },
      ...{ name: say(`guide.${slug}`), about: say(`guide.${slug}.about`) },
    })),
  }));
  return [...written.slice(0, 2), referenceIn(say), ...written.slice(2)];
}

/** Begins the reference: what is the same for all operations, and where each is. */
export const referenceOverview = 'docs/reference/README.md';

/** A page for each group of operations, and one for the errors: `npm run generate` writes them. */
function referenceIn(say: Say): Shelf {
  const groups = Object.keys(tags).map((tag) => {
    const slug = tag.toLowerCase().replaceAll(' ', '-');
    const name = say(`group.${slug}` as MessageName);
    return { file: `docs/reference/${slug}.md`, href: `/docs/${slug}`, name, about: '' };
  });
  const errors = { name: say('docs.errors'), about: say('docs.errors.what') };
  return {
    name: say('shelf.reference'),
    guides: [...groups, { file: 'docs/errors.md', href: '/docs/errors', ...errors }],
  };
}

function createHref(slug: Slug): string {
  return `/docs/guide/${slug}`;
}

export function isDecisions({ href }: Guide): boolean {
  return href === decisionsHref;
}

export function isSingleDecision({ href }: Guide): boolean {
  return href.startsWith(`${decisionsHref}/`);
}

/** The decisions by name, each called as its first heading says. */
export function singleDecisions(): Guide[] {
  const names = readdirSync(join(projectFolder, decisionsFolder)).toSorted();
  return names.map((entry) => {
    const file = posix.join(decisionsFolder, entry);
    const heading = /^# (.+)$/m.exec(readGuide(file))?.[1] ?? entry;
    return {
      file,
      href: `${decisionsHref}/${posix.basename(entry, '.md')}`,
      name: heading,
      about: '',
    };
  });
}

export function readGuide(file: string): string {
  return readFileSync(join(projectFolder, file), 'utf8');
}

/** What a link in a file of the project points to, as a path in the project's folder. */
export function linked(file: string, href: string): string {
  return posix.normalize(posix.join(dirname(file), decodeURI(href)));
}
