/**
 * A real Chromium for the tests, out of the npm registry: nothing need be installed on the machine.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';

export type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';

const packedRoot = join(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '..',
);

/** Says where fonts are. */
const fontsFile = 'fonts.conf';
const flags = ['--no-sandbox', '--disable-background-networking', '--mute-audio', '--disable-gpu'];

/**
 * Starts a browser; `close()` it. Several may run, of several test processes. Pages find the fonts
 * of `fontFolders` beside those that come with it, and may play with sound before a click.
 */
export async function startBrowser(
  fontFolders: readonly string[] = [],
  autoplay: 'no-user-gesture-required' | 'user-gesture-required' = 'no-user-gesture-required',
): Promise<Browser> {
  const home = await unpackOnce();
  const fonts = fontFolders.length === 0 ? join(home, fontsFile) : join(home, 'more-fonts.conf');
  if (fontFolders.length > 0) await writeFile(fonts, fontsOf(home, fontFolders));
  return chromium.launch({
    executablePath: join(home, 'chromium'),
    args: [...flags, `--autoplay-policy=${autoplay}`],
    env: {
      ...process.env,
      FONTCONFIG_FILE: fonts,
      // The libraries that a bare machine lacks (NSS), from the same package.
      LD_LIBRARY_PATH: join(home, 'al2023', 'lib'),
    },
  });
}

/** How a person's browser looks to a server: a User-Agent with "Headless" in it counts as a bot. */
export function personAt(browser: Browser): BrowserContextOptions {
  const [major] = browser.version().split('.');
  return {
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      `Chrome/${major}.0.0.0 Safari/537.36`,
    viewport: { width: 1024, height: 768 },
  };
}

/** Unpacks beside and moves into place, so that no test process starts half a browser. */
async function unpackOnce(): Promise<string> {
  const { version } = createRequire(import.meta.url)(join(packedRoot, 'package.json'));
  const home = join(tmpdir(), `playmeter-test-chromium-${version}`);
  if (existsSync(home)) return home;
  const fresh = await mkdtemp(`${home}-`);
  const { TMPDIR } = process.env;
  // The package unpacks into the directory for temporary files, and nowhere else.
  process.env.TMPDIR = fresh;
  try {
    await packed.executablePath();
    await inflate(join(packedRoot, 'bin', 'al2023.tar.br'));
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  await writeFile(join(fresh, fontsFile), fontsOf(home));
  await rename(fresh, home).catch(() => rm(fresh, { recursive: true }));
  return home;
}

/** The package's fonts, before those of the machine, if it has any: without one no text is drawn. */
function fontsOf(home: string, more: readonly string[] = []): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <dir>${home}/fonts/fonts</dir>
${more.map((folder) => `  <dir>${folder}</dir>\n`).join('')}  <cachedir>${home}/font-cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
}
