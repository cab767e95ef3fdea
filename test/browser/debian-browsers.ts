/**
 * Browsers of other makers, which no npm package brings: Firefox ESR by WebDriver BiDi, and WebKitGTK
 * by WebDriver. Each has the one tab that a test needs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort } from '../../src/lib/network/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface Tab {
  /** Resolves when the page is loaded. */
  open(url: string): Promise<void>;
  /** As its button does; what it leads to may be in the back-forward cache. */
  back(): Promise<void>;
  /** Calls a function in the page, which uses nothing but its arguments and what the page has. */
  run<Args extends readonly unknown[], Result>(
    page: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  close(): Promise<void>;
}

const packages = 'firefox-esr webkit2gtk-driver xvfb gstreamer1.0-libav gstreamer1.0-plugins-good';

export function requirePackages(isThere: boolean, what: string): void {
  if (!isThere) throw new Error(`There is no ${what}: apt-get install ${packages}`);
}

function start(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const path = `/usr/bin/${program}`;
  requirePackages(existsSync(path), path);
  return spawn(path, args, {
    env: { ...process.env, ...environment },
    // Xvfb says on the last one which number it took.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exited;
}

const callOf = (page: (...args: never) => unknown, args: readonly unknown[]) =>
  `Promise.resolve((${page})(...${JSON.stringify(args)})).then((value) => JSON.stringify(value))`;

const parse = (text: string | null | undefined) => JSON.parse(text ?? 'null');

export async function startFirefox(): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), 'playmeter-firefox-'));
  const port = await freePort();
  const child = start('firefox-esr', [
    ...['--headless', '--no-remote', '--profile', profile],
    `--remote-debugging-port=${port}`,
  ]);
  const socket = await openSocket(`ws://127.0.0.1:${port}/session`);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the protocol answers
  const answers = new Map<number, (answer: any) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(data);
    answers.get(answer.id)?.(answer);
  };
  let last = 0;
  const command = async (method: string, params: object) => {
    last += 1;
    const id = last;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const answer = await new Promise<any>((resolve) => {
      answers.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  };
  await command('session.new', { capabilities: {} });
  const { contexts } = await command('browsingContext.getTree', {});
  const { context } = contexts[0];
  return {
    open: (url) => command('browsingContext.navigate', { context, url, wait: 'complete' }),
    back: () => command('browsingContext.traverseHistory', { context, delta: -1 }),
    async run(page, ...args) {
      const { result, exceptionDetails } = await command('script.evaluate', {
        ...{ expression: callOf(page, args), target: { context }, awaitPromise: true },
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return parse(result.value);
    },
    async close() {
      socket.close();
      await stop(child);
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function openSocket(url: string): Promise<WebSocket> {
  let socket: WebSocket | undefined;
  await waitUntil('Firefox takes commands', async () => {
    const tried = new WebSocket(url);
    const isOpen = await new Promise<boolean>((resolve) => {
      tried.onopen = () => resolve(true);
      tried.onerror = () => resolve(false);
    });
    if (isOpen) socket = tried;
    return isOpen;
  });
  return socket as WebSocket;
}

export async function startWebKit(): Promise<Tab> {
  // Without a screen it shows nothing, and plays nothing.
  const screen = start('Xvfb', ['-displayfd', '3', '-screen', '0', '1024x768x24']);
  const number = await new Promise((resolve) =>
    (screen.stdio[3] as Readable).once('data', resolve),
  );
  const port = await freePort();
  const driver = start('WebKitWebDriver', [`--port=${port}`], {
    DISPLAY: `:${String(number).trim()}`,
  });
  const command = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever the protocol answers
    const { value } = (await response.json()) as any;
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  await waitUntil('WebKitWebDriver takes commands', () =>
    command('GET', '/status').then(
      ({ ready }) => ready,
      () => false,
    ),
  );
  const { sessionId } = await command('POST', '/session', { capabilities: {} });
  const session = `/session/${sessionId}`;
  return {
    open: (url) => command('POST', `${session}/url`, { url }),
    back: () => command('POST', `${session}/back`, {}),
    async run(page, ...args) {
      const script = `return ${callOf(page, args)}`;
      return parse(await command('POST', `${session}/execute/sync`, { script, args: [] }));
    },
    async close() {
      await command('DELETE', session);
      await stop(driver);
      await stop(screen);
    },
  };
}
