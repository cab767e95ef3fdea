/** The guides that the service shows at /docs/guide: files of this project, in reading order. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export const projectFolder = join(import.meta.dirname, '..', '..', '..');

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

export const decisions: Guide = {
  file: 'docs/decisions',
  href: '/docs/guide/decisions',
  name: 'Decisions',
  about: 'Why it is built this way, with the figures that decided.',
};

/** Every guide but the single decisions, which have a list of their own. */
export const shelves: readonly Shelf[] = [
  {
    name: 'Start',
    guides: [
      guide('README.md', 'Getting started', 'From one command to the first counted play.', 'start'),
      guide('docs/players.md', 'Your player', 'What each kind of player needs to be counted.'),
      guide('tracker/README.md', 'Tracker', 'The script for web pages.', 'tracker'),
      guide('docs/dashboard.md', 'Dashboard', 'What its pages show, and how to share them.'),
    ],
  },
  {
    name: 'Ask',
    guides: [
      guide('docs/questions.md', 'Questions', 'One command for each question people ask.'),
      guide('client/README.md', 'Client', 'The typed client for programs.', 'client'),
    ],
  },
  {
    name: 'Operate',
    guides: [
      guide('docs/configuration.md', 'Configuration', 'Every setting, and what it is by default.'),
      guide('docs/operating.md', 'Operating', 'Backup, upgrade, erasure, metrics, trouble.'),
      guide('docs/alerts.md', 'Alerts and reports', 'Told by webhook or mail what you asked for.'),
      guide('docs/proxy.md', 'Behind a proxy', 'nginx and Caddy, TLS, forwarded addresses.'),
      guide('docs/performance.md', 'Performance', 'What was measured, and how to size a machine.'),
      guide('docs/scaling.md', 'Scaling', 'Several nodes on a cluster.'),
      guide('docs/signed-views.md', 'Signed views', 'Count only what your site vouches for.'),
      guide(
        'docs/unusual-playback.md',
        'Unusual playback',
        'What is set apart, and how to decide.',
      ),
    ],
  },
  {
    name: 'Trust',
    guides: [
      guide('SECURITY.md', 'Security', 'What is protected, and what you must do.', 'security'),
      guide('docs/privacy.md', 'Privacy', 'What is kept of viewers, and for how long.'),
      guide('docs/attacks.md', 'Attacks', 'What was tried against it, with figures.'),
      guide('docs/security-updates.md', 'Security updates', 'Of the engine, Node and the rest.'),
      guide('docs/asvs.md', 'ASVS', 'The OWASP checklist, point by point.'),
      guide('docs/licences.md', 'Licences', 'Of everything that it depends on.'),
    ],
  },
  {
    name: 'Background',
    guides: [
      guide(
        'ARCHITECTURE.md',
        'How it works',
        'The way of the data, folder by folder.',
        'how-it-works',
      ),
      guide(
        'docs/comparison.md',
        'Comparison',
        'What people use instead, and when that is better.',
      ),
      decisions,
      guide('CHANGELOG.md', 'Changes', 'What is new in each version.', 'changes'),
    ],
  },
];

function guide(
  file: string,
  name: string,
  about: string,
  slug = posix.basename(file, '.md'),
): Guide {
  return { file, href: `/docs/guide/${slug}`, name, about };
}

/** The decisions by name, each called as its first heading says. */
export function singleDecisions(): Guide[] {
  const names = readdirSync(join(projectFolder, decisions.file)).toSorted();
  return names.map((entry) => {
    const file = posix.join(decisions.file, entry);
    const heading = /^# (.+)$/m.exec(readGuide(file))?.[1] ?? entry;
    return {
      file,
      href: `${decisions.href}/${posix.basename(entry, '.md')}`,
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
