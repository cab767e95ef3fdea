/** A mail server that takes everything, and what it took. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';

export interface TestMail {
  readonly to: string;
  readonly text: string;
}

export interface TestMailServer {
  readonly url: string;
  /** Those that nobody asked for yet. */
  readonly mails: TestMail[];
  /** Mails are sent beside the answer. */
  next(): Promise<TestMail>;
  stop(): Promise<void>;
}

export async function startMailServer(): Promise<TestMailServer> {
  const mails: TestMail[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        mails.push({ to, text: textOf(Buffer.concat(parts).toString()) });
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
