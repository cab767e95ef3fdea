/** Addresses that a stranger writes into X-Forwarded-For, before a usual proxy adds the real one. */
import { request } from 'node:http';
import { startLocalServer } from '../support/local-server.ts';
import { type Attack, type Stage, type Struck, wrongIn } from './attack.ts';
import { all, madeUpBeacon, type Stranger, statusesOf, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim } from './victim.ts';

const perMinute = 100;
const tried = 300;

/** Each is what a stranger sends; the proxy puts the real address behind it. */
const forgeries: Readonly<Record<string, (number: number) => string | string[]>> = {
  'another address each time': (number) => `10.1.${number >> 8}.${number & 255}`,
  'several at once': (number) => `10.2.0.${number & 255}, 10.3.${number >> 8}.${number & 255}`,
  'several headers': (number) => [`10.4.0.${number & 255}`, `10.5.0.${number & 255}`],
  'with a port': (number) => `10.6.0.1:${1_000 + number}`,
  'IPv6, quoted': (number) => `"[2001:db8:${number.toString(16)}::1]:443"`,
  'no address': (number) => `unknown-${number}`,
  'nothing between commas': (number) => `${' ,'.repeat(number % 40)}`,
};

export const forwardedAddresses: Attack = {
  name: 'forwarded-addresses',
  does: 'Behind a proxy that appends the real address: X-Forwarded-For with ever new addresses',
  wanted: `one sender stays within ${perMinute} requests a minute, whatever it writes`,
  async strike(stage): Promise<Struck> {
    const { target, trusted } = await startBehindProxy(stage);
    const proxy = await startProxy(target);
    try {
      const victim = await addVictim(target);
      const passed: Record<string, number> = {};
      for (const [name, forgery] of Object.entries(forgeries)) {
        const one = stranger(target, { address: stage.address(), port: proxy.port });
        passed[name] = await passedOf(one, forgery, victim.videoKey);
        one.close();
      }
      const most = Math.max(...Object.values(passed));
      return {
        measured: `TRUST_PROXY=${trusted}: of ${tried} each, passed ${JSON.stringify(passed)}`,
        wrong: wrongIn({ [`${most} passed`]: most > perMinute }),
      };
    } finally {
      await proxy.close();
    }
  },
};

async function passedOf(
  one: Stranger,
  forgery: (number: number) => string | string[],
  videoKey: string,
): Promise<number> {
  const answers = await all(Array(tried).keys(), 10, (number) =>
    one.send({
      method: 'POST',
      path: '/collect/v1/beacons',
      headers: { 'content-type': 'text/plain', 'x-forwarded-for': forgery(number) },
      body: JSON.stringify({ beacons: [madeUpBeacon(videoKey, 1_000)] }),
    }),
  );
  const { 429: refused = 0 } = statusesOf(answers);
  return tried - refused;
}

/** One proxy before it; releases until 0.1.0 know only whether there is any. */
async function startBehindProxy(stage: Stage): Promise<{ target: Target; trusted: string }> {
  const limit = { COLLECT_LIMIT_PER_MINUTE: String(perMinute) };
  const start = (trusted: string) =>
    stage.start({ environment: { ...limit, TRUST_PROXY: trusted } });
  return start('1').then(
    (target) => ({ target, trusted: '1' }),
    async () => ({ target: await start('true'), trusted: 'true' }),
  );
}

/** As nginx does with $proxy_add_x_forwarded_for. */
function startProxy({ port }: Target) {
  return startLocalServer((incoming, outgoing) => {
    const real = (incoming.socket.remoteAddress ?? '').replace('::ffff:', '');
    const given = incoming.headers['x-forwarded-for'];
    const forwarded = given === undefined ? real : `${given}, ${real}`;
    const headers = { ...incoming.headers, 'x-forwarded-for': forwarded };
    const { method, url: path } = incoming;
    const onward = request({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
}
