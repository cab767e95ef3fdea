import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { answerUnreadable } from './unreadable-answers.ts';

test.each([
  { what: 'nothing', sent: '', answer: /^$/ },
  { what: 'half a head', sent: 'GET / HTTP/1.1\r\nhost:', answer: /^HTTP\/1.1 400 .*in time/s },
  { what: 'no HTTP', sent: 'EHLO\r\n\r\n', answer: /^HTTP\/1.1 400 .*not valid HTTP/s },
])('a connection that sends $what is closed: $answer', async ({ sent, answer }) => {
  const noted: number[] = [];
  const { clientErrorHandler } = answerUnreadable({}, (status) => void noted.push(status));
  const server = createServer({ headersTimeout: 100, connectionsCheckingInterval: 20 });
  server.on('clientError', clientErrorHandler);
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(sent);
  expect(await text(socket)).toMatch(answer);
  expect(noted).toEqual(sent === '' ? [] : [400]);
});
