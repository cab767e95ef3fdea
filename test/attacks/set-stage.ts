/** Where attacks take place: starts services and a browser, and ends all that was started. */
import { join } from 'node:path';
import { type Browser, startBrowser } from '../support/browser.ts';
import type { Stage } from './attack.ts';
import { startTarget, type Target } from './target.ts';

export interface StageOptions {
  readonly isLong: boolean;
  readonly seed: number;
  /** The checkout under attack; default: this one. */
  readonly project?: string;
}

export interface OwnStage extends Stage {
  /** Ends the services that attacks do not share. */
  clear(): Promise<void>;
  /** Ends everything. */
  close(): Promise<void>;
}

const thisProject = join(import.meta.dirname, '../..');

export function setStage({ isLong, seed, project = thisProject }: StageOptions): OwnStage {
  const own = new Set<Promise<Target>>();
  let shared: Promise<Target> | undefined;
  let browser: Promise<Browser> | undefined;
  let addresses = 0;

  const startOwn: Stage['start'] = (options = {}) => {
    const target = startTarget({ project, ...options });
    own.add(target);
    return target;
  };
  const remove = async (targets: Iterable<Promise<Target>>): Promise<void> => {
    for (const started of await Promise.allSettled(targets)) {
      if (started.status === 'fulfilled') await started.value.remove();
    }
  };
  const clear = async (): Promise<void> => {
    await remove(own);
    own.clear();
  };
  return {
    isLong,
    seed,
    start(options) {
      if (isLong || options !== undefined) return startOwn(options);
      shared ??= startTarget({ project });
      return shared;
    },
    browser() {
      browser ??= startBrowser();
      return browser;
    },
    address() {
      addresses += 1;
      return `127.9.0.${addresses}`;
    },
    clear,
    async close() {
      await clear();
      if (shared) await remove([shared]);
      await (await browser)?.close();
    },
  };
}
