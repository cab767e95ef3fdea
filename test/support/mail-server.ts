/** A mail server that takes everything, and what it took. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';

export interface TestMail {
  readonly to: string;
  readonly text: string;
  /** As it came, with its headers. */
  readonly raw: string;
}

export interface TestMailServer {
  readonly url: string;
  /** Those that nobody asked for yet. */
  readonly mails: TestMail[];
  /** Codes of the next answers to a recipient; then mails are taken again. */
  readonly refusals: number[];
  /** Mails are sent beside the answer. */
  next(): Promise<TestMail>;
  stop(): Promise<void>;
}

/** Whoever signs in does so as `sender`, with the password `p@ss`. */
export async function startMailServer(): Promise<TestMailServer> {
  const mails: TestMail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'sender' && password === 'p@ss' ? done(null, { user: 'a' }) : done(new Error()),
    onRcptTo(_, __, done) {
      const responseCode = refusals.shift();
      done(responseCode === undefined ? null : Object.assign(new Error('no'), { responseCode }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        const raw = Buffer.concat(parts).toString();
        mails.push({ to, text: textOf(raw), raw });
        done();
      });
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () =>
      resolve((listening.address() as AddressInfo).port),
    );
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refusals,
    async next() {
      await expect.poll(() => mails.length, { timeout: 5_000 }).toBeGreaterThan(0);
      return mails.shift() as TestMail;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Its subject, and its text. */
function textOf(mail: string): string {
  const [head = '', body = ''] = mail.split(/\r\n\r\n(.*)/s);
  const decoded = /base64/i.test(head)
    ? Buffer.from(body, 'base64').toString()
    : Buffer.from(
        body
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, code) =>
            String.fromCharCode(Number.parseInt(code, 16)),
          ),
        'latin1',
      ).toString();
  return decoded.replaceAll('\r\n', '\n');
}
