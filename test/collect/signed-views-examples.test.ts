/** The examples of docs/signed-views.md, as they are printed, in the languages they are of. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
// @ts-expect-error It comes without types.
import { getPHPLoaderModule } from '@php-wasm/node-8-3';
// @ts-expect-error Its types leave out what it exports.
import { loadPHPRuntime, PHP } from '@php-wasm/universal';
import { loadPyodide } from 'pyodide';
import { expect, test } from 'vitest';
import { createCollector } from '../../src/collect/collector.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { openCatalogAlone } from '../support/catalog-alone.ts';
import { collectingEvents, publishFilm } from '../support/collecting-events.ts';
import { manualClock } from '../support/manual-clock.ts';
import { addSecret } from '../support/view-token.ts';

/** Runs an example, and gives the token that it makes for this video. */
type Run = (example: string, videoKey: string, secret: string) => Promise<string>;

const inNode: Run = async (example, videoKey, secret) => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-example-'));
  await writeFile(join(folder, 'example.mjs'), example);
  const call = `import('./example.mjs').then((example) =>
    process.stdout.write(example.viewToken('${videoKey}', 'viewer')))`;
  const options = { cwd: folder, env: { SIGNING_SECRET: secret } };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', call], options);
  await rm(folder, { recursive: true });
  return stdout;
};

const inPython: Run = async (example, videoKey, secret) => {
  const python = await loadPyodide({ env: { SIGNING_SECRET: secret } });
  return python.runPython(`${example}\nview_token("${videoKey}", "viewer")`);
};

const inPhp: Run = async (example, videoKey, secret) => {
  const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
  const code = `${example}\necho view_token('${videoKey}', 'viewer');`;
  const { text } = await php.run({ code, env: { SIGNING_SECRET: secret } });
  php.exit();
  return text;
};

test.each<[string, Run]>([
  ['js', inNode],
  ['python', inPython],
  ['php', inPhp],
])('%s', async (language, run) => {
  const page = await readFile(new URL('../../docs/signed-views.md', import.meta.url), 'utf8');
  const [, example] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  const catalog = await openCatalogAlone();
  const { accountId, packageId, videoKey } = await publishFilm(catalog);
  accepted(await catalog.packages.change(accountId, packageId, { signing: 'require' }));
  const secret = await addSecret(catalog.signingKeys, accountId);
  const token = await run(example ?? '', videoKey, secret);
  const clock = manualClock(Date.now());
  const collecting = collectingEvents(catalog, clock);
  const at = new Date(clock.now()).toISOString();
  const beacon = { view: 'v', stretch: 0, at, playMs: 5_000, videoKey };
  const { collect } = createCollector(collecting.parts);
  expect(await collect([{ ...beacon, token }], {})).toEqual({ accepted: 1, rejected: [] });
  expect(await collect([beacon], {})).toMatchObject({ rejected: [{ code: 'UNSIGNED' }] });
  expect(collecting.totals()).toEqual({ plays: 1, playMs: 5_000 });
  await collecting.stop();
  await catalog.close();
});
