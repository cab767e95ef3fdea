/** What answers give away, and what they carry into others' pages and caches. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { waitUntil } from '../support/wait-until.ts';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { type Answered, type Stranger, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim } from './victim.ts';

const noticedWithinMs = 60_000;
const hostileUrls = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  '//evil.example/x',
  'https:javascript',
];

export const hostileThumbnail: Attack = {
  name: 'hostile-thumbnail',
  does: `The address of a thumbnail in ${hostileUrls.length} forms that a dashboard would run or leak by`,
  wanted: 'only http and https addresses are taken',
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const one = stranger(target, { address: stage.address() });
    const change = (url: string) =>
      one.send({
        method: 'PUT',
        path: `/manage/v1/videos/${victim.accessKey}/thumbnails`,
        headers: { 'x-api-key': victim.key, 'content-type': 'application/json' },
        body: JSON.stringify({ thumbnails: [{ url }] }),
      });
    const taken: string[] = [];
    for (const url of hostileUrls) {
      if ((await change(url)).status < 300) taken.push(url);
    }
    const { status } = await change('https://pictures.example/a.jpg');
    one.close();
    return {
      measured: `${taken.length} of ${hostileUrls.length} taken; a real one ${status}`,
      wrong: wrongIn({
        [`taken: ${JSON.stringify(taken)}`]: taken.length > 0,
        [`a real one answered ${status}`]: status >= 300,
      }),
    };
  },
};

export const loudAnswers: Attack = {
  name: 'loud-answers',
  does: 'Looks for answers that a shared cache may keep, sends two Host headers and other pairs that a proxy reads otherwise, and asks /readyz and /metrics why the engine died',
  wanted: 'nothing private is cacheable, what is ambiguous is refused, no inner details',
  async strike(stage): Promise<Struck> {
    // All of this machine would else be the operator's.
    const environment = { OPERATOR_NETWORKS: '127.0.0.1' };
    const target = await stage.start({ environment });
    const { videoKey, key } = await addVictim(target);
    const one = stranger(target, { address: stage.address() });
    const cacheable: string[] = [];
    const kept = [
      `/watch/${videoKey}`,
      '/watch',
      '/readyz',
      `/v1/player/stats/info.json?k=${videoKey}`,
    ];
    for (const path of kept) {
      const { headers } = await one.send({ path });
      if (!/no-store|private/.test(headers['cache-control'] ?? '')) cacheable.push(path);
    }
    const cacheableManaging = await one.send({
      path: '/manage/v1/keys',
      headers: { 'x-api-key': key },
    });
    const ofManaging = cacheableManaging.headers['cache-control'] ?? '';
    const taken: string[] = [];
    for (const [name, text] of Object.entries(ambiguous(videoKey))) {
      const status = await rawStatus(target, text);
      if (status < 400) taken.push(`${name} ${status}`);
    }
    const { status, text } = await readinessWithoutEngine(target, one);
    const metrics = await one.send({ path: '/metrics' });
    one.close();
    const details = /engine|clickhouse|signal|exit|ECONN|127\.0\.0\.1:\d|SIGKILL/i.exec(text)?.[0];
    return {
      measured:
        `cacheable: ${cacheable.join(' ') || 'none'}; taken: ${taken.join(', ') || 'none'}; ` +
        `/readyz ${status} ${text.slice(0, 160)}, /metrics ${metrics.status}`,
      wrong: wrongIn({
        [`cacheable: ${cacheable}`]: cacheable.length > 0,
        [`managing is cacheable: ${ofManaging}`]: !/no-store|private/.test(ofManaging),
        [`taken: ${taken}`]: taken.length > 0,
        [`/readyz answered ${status} without an engine`]: status !== 503,
        [`/readyz shows ${details}`]: details !== undefined,
        [`/metrics answered ${metrics.status}`]: metrics.status === 200,
      }),
    };
  },
};

/** The supervisor may have started another one before a busy machine asks: that is killed too. */
async function readinessWithoutEngine(target: Target, one: Stranger): Promise<Answered> {
  let killed = 0;
  let answer = await one.send({ path: '/readyz' });
  const isNoticed = async () => {
    const engine = target.engineProcessId();
    if (engine !== killed) process.kill(engine, 'SIGKILL');
    killed = engine;
    answer = await one.send({ path: '/readyz' });
    return answer.status === 503;
  };
  await waitUntil('/readyz to notice', isNoticed, noticedWithinMs).catch(() => {});
  return answer;
}

/** Each could be read in two ways by two programs. */
function ambiguous(videoKey: string): Record<string, string> {
  const beacon = {
    view: randomUUID(),
    stretch: 0,
    at: new Date().toISOString(),
    playMs: 0,
    videoKey,
  };
  const body = JSON.stringify({ beacons: [beacon] });
  const post = 'POST /collect/v1/beacons HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n';
  const length = `content-length: ${body.length}\r\n`;
  const chunked = 'transfer-encoding: chunked\r\n';
  return {
    'two hosts': 'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
    'two hosts for beacons': `${post}host: b\r\n${length}\r\n${body}`,
    'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
    'two lengths': `${post}${length}content-length: 1\r\n\r\n${body}`,
    'length and chunks': `${post}${length}${chunked}\r\n0\r\n\r\n`,
    'chunks twice': `${post}${chunked}transfer-encoding: identity\r\n\r\n0\r\n\r\n`,
    'space before colon': `${post.replace('host:', 'host :')}${length}\r\n${body}`,
    'folded header': `${post}x-a: b\r\n c\r\n${length}\r\n${body}`,
    'bare line feeds': `${post}x-a: b\nx-c: d\r\n${length}\r\n${body}`,
    'signed length': `${post}content-length: +${body.length}\r\n\r\n${body}`,
    'two keys': `GET /manage/v1/keys HTTP/1.1\r\nhost: a\r\nx-api-key: a\r\nx-api-key: b\r\n\r\n`,
    'huge headers': `GET /healthz HTTP/1.1\r\nhost: a\r\nx-a: ${'a'.repeat(70_000)}\r\n\r\n`,
    'many headers': `GET /healthz HTTP/1.1\r\nhost: a\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
    'huge address': `GET /healthz?${'a'.repeat(70_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  };
}

/** The status of the first answer; 999 where the connection was closed without one. */
function rawStatus({ port }: Target, text: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    const finish = () => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 999));
    };
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.includes('\r\n')) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.setTimeout(10_000, finish);
    socket.write(text);
  });
}
