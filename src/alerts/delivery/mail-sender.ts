/** One attempt to send a message by mail. */
import { createTransport } from 'nodemailer';
import type { Attempt, ClaimedDelivery } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { type MailedDelivery, type MailSettings, writeMail } from './mail-text.ts';

/** Connecting, and the greeting. */
const stepMs = 10_000;
/**
 * All of an attempt. A server may take minutes to answer once it has the text (RFC 5321,
 * 4.5.3.2.6), and delivers it even if the sender has given up: then it is sent again, and comes
 * twice.
 */
export const mailAttemptMs = 120_000;
/** Codes of 5xx are for good: the mailbox does not exist, or refuses. */
const refusedForGood = 500;

interface MailServer {
  /** smtp://user:password@host:port, or smtps:// for TLS from the start. */
  readonly url: string;
  readonly from: string;
  readonly clock: Clock;
}

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly messageId?: string;
}

type SendMail = (
  delivery: MailedDelivery & Pick<ClaimedDelivery, 'receiver' | 'messageId'>,
) => Promise<Attempt>;

export function createSendMail({
  countrySource,
  publicUrl,
  ...server
}: MailServer & MailSettings): SendMail {
  const send = createMailTransport(server);
  return ({ receiver, messageId, ...delivery }) =>
    send({ to: receiver, messageId, ...writeMail(delivery, { countrySource, publicUrl }) });
}

/** One attempt, which never rejects: what went wrong is in it. */
export function createMailTransport({
  url,
  from,
  clock,
}: MailServer): (mail: Mail) => Promise<Attempt> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isTls = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isTls ? 465 : 587)),
    secure: isTls,
    // A password is never sent in the clear; without one, TLS is used where it is offered.
    requireTLS: !isTls && username !== '' && !isOwnMachine(hostname),
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...{ connectionTimeout: stepMs, greetingTimeout: stepMs },
    ...{ disableFileAccess: true, disableUrlAccess: true, logger: false },
  });
  const host = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  return async ({ messageId, ...mail }) => {
    const late = new AbortController();
    const cancel = clock.after(mailAttemptMs, () => late.abort());
    try {
      await transport.sendMail({
        signal: late.signal,
        ...{ from, ...mail, ...(messageId && { messageId: `<${messageId}@${host}>` }) },
        headers: { 'auto-submitted': 'auto-generated' },
      });
      return { isDelivered: true, isFinal: true, status: 250, error: undefined };
    } catch (error) {
      return late.signal.aborted ? notInTime : toFailure(error);
    } finally {
      cancel();
    }
  };
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

const notInTime: Attempt = {
  ...{ isDelivered: false, isFinal: false, status: undefined },
  error: `no answer within ${mailAttemptMs / 1_000} s`,
};

/** The server's text may say whose password was wrong: only its code is shown. */
function toFailure(error: unknown): Attempt {
  const { responseCode: status, code } = error as { responseCode?: number; code?: string };
  const isFinal = status !== undefined && status >= refusedForGood && code === 'EENVELOPE';
  const answered = status === undefined ? '' : ` (SMTP ${status})`;
  return { isDelivered: false, isFinal, status, error: `${code ?? 'not sent'}${answered}` };
}
