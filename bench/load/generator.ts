/**
 * The load generator, a process of its own that takes little of the processor: raw connections,
 * requests patched in place. Without a rate each connection sends as soon as it is answered; with
 * one, requests fall due on a clock and their latency counts from there, also while they wait.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../record/percentile.ts';
import { createAnswerReader } from './read-answers.ts';
import { createTemplate, type LoadTarget, type Template } from './template.ts';

export interface LoadPlan extends LoadTarget {
  readonly connections: number;
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Requests per second; without it as fast as the answers come. */
  readonly rate?: number;
}

export interface LoadOutcome {
  readonly beaconsPerSecond: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** Answers other than 2xx, by status. */
  readonly failed: Readonly<Record<string, number>>;
  /** Requests from the first to the last, and how many of them were answered with 2xx. */
  readonly sent: number;
  readonly acknowledged: number;
}

const tickMs = 1;
/** What is under way at the end is waited for, so that it is known what became of it. */
const lastAnswersMs = 120_000;

interface Connection {
  readonly socket: Socket;
  readonly template: Template;
  /** When the request under way fell due. */
  dueMs: number;
}

async function generate(plan: LoadPlan): Promise<LoadOutcome> {
  const run = randomBytes(6).toString('hex');
  const latencies: number[] = [];
  const failed: Record<string, number> = {};
  const idle: Connection[] = [];
  const due: number[] = [];
  let measuring = false;
  let sending = true;
  let views = 0;
  let sent = 0;
  let answers = 0;
  let acknowledged = 0;

  const send = (connection: Connection, dueMs: number): void => {
    connection.dueMs = dueMs;
    connection.socket.write(connection.template.fill(views));
    views += plan.beaconsPerRequest;
    sent += 1;
  };
  const answered = (connection: Connection, status: number): void => {
    const nowMs = performance.now();
    answers += 1;
    if (status < 300) acknowledged += 1;
    if (measuring && status < 300) latencies.push(nowMs - connection.dueMs);
    if (status >= 300) failed[status] = (failed[status] ?? 0) + 1;
    if (!sending) return;
    if (plan.rate === undefined) send(connection, nowMs);
    else if (due.length > 0) send(connection, due.shift() as number);
    else idle.push(connection);
  };

  const opened = await Promise.all(
    Array.from({ length: plan.connections }, (_, index) => open(plan, run, index, answered)),
  );
  if (plan.rate === undefined) for (const connection of opened) send(connection, performance.now());
  else idle.push(...opened);
  const stopClock = plan.rate === undefined ? () => {} : startClock(plan.rate, due, idle, send);

  await sleep(plan.warmSeconds * 1_000);
  measuring = true;
  const startedAt = performance.now();
  await sleep(plan.seconds * 1_000);
  measuring = false;
  const seconds = (performance.now() - startedAt) / 1_000;
  sending = false;
  stopClock();
  for (const end = performance.now() + lastAnswersMs; answers < sent; await sleep(tickMs)) {
    if (performance.now() > end) break;
  }
  for (const { socket } of opened) socket.destroy();
  const measured = outcomeOf(latencies, seconds, plan.beaconsPerRequest);
  return { ...measured, failed, sent, acknowledged };
}

type Send = (connection: Connection, dueMs: number) => void;

function startClock(rate: number, due: number[], idle: Connection[], send: Send): () => void {
  let nextMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (; nextMs <= nowMs; nextMs += 1_000 / rate) {
      // In turn: one left idle for long would be closed.
      const connection = idle.shift();
      if (connection) send(connection, nextMs);
      else due.push(nextMs);
    }
  }, tickMs);
  return () => clearInterval(timer);
}

async function open(
  plan: LoadPlan,
  run: string,
  index: number,
  answered: (connection: Connection, status: number) => void,
): Promise<Connection> {
  const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
  const connection = { socket, template: createTemplate(plan, run, index), dueMs: 0 };
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  socket.on(
    'data',
    createAnswerReader((status) => answered(connection, status)),
  );
  return connection;
}

function outcomeOf(latencies: number[], seconds: number, beaconsPerRequest: number) {
  const sorted = latencies.sort((a, b) => a - b);
  const requestsPerSecond = sorted.length / seconds;
  return {
    requestsPerSecond,
    beaconsPerSecond: requestsPerSecond * beaconsPerRequest,
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    p99Ms: percentile(sorted, 0.99),
    slowestMs: sorted.at(-1) ?? 0,
  };
}

if (import.meta.main) {
  const outcome = await generate(JSON.parse(process.argv[2] ?? '') as LoadPlan);
  process.stdout.write(JSON.stringify(outcome));
}
