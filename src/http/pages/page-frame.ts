/** The frame of the dashboard around pages that are not of its app; its build has made it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../lib/folders.ts';
import type { Language } from './messages/messages.ts';

/** HTML, each to be put where its name says. */
export interface PlainFrame {
  readonly head: string;
  /** Opens the part beside the page. */
  readonly start: string;
  /** Closes it. */
  readonly end: string;
}

type Page = '/docs' | '/watch';

interface Built {
  readonly head: string;
  readonly frames: Readonly<Record<Language, Readonly<Record<Page, Omit<PlainFrame, 'head'>>>>>;
}

const file = join(projectFolder, 'dashboard/dist/plain-frames.json');

export async function readPlainFrame(page: Page, language: Language): Promise<PlainFrame> {
  const { head, frames } = JSON.parse(await readFile(file, 'utf8')) as Built;
  return { head, ...frames[language][page] };
}
