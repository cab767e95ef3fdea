import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import type { Message, WorkerState } from './messages.ts';
import { superviseWorkers, type WorkerProcess } from './supervisor.ts';

const state: WorkerState = { storedThrough: 1, completeThrough: 1, isReady: true };
/** Says once how it is, and then only runs until it is told to stop. */
const script = `process.send({ kind: 'worker', state: ${JSON.stringify(state)} });
  process.on('message', () => {});`;

function asWorker(child: ChildProcess, signals: NodeJS.Signals[]): WorkerProcess {
  return {
    process: {
      pid: child.pid,
      kill(signal) {
        signals.push(signal);
        return child.kill(signal);
      },
    },
    isConnected: () => child.connected,
    send: (message: Message) => child.send(message),
    on: child.on.bind(child),
  };
}

test('a worker that hangs is ended, and so is the next one, which hangs before its first word', async () => {
  const clock = manualClock();
  const children: ChildProcess[] = [];
  const signals: NodeJS.Signals[] = [];
  const supervisor = superviseWorkers({
    count: 1,
    fork() {
      const child = spawn(process.execPath, ['-e', script], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.push(child);
      if (children.length === 2) child.kill('SIGSTOP');
      return asWorker(child, signals);
    },
    whyEngineNotReady: () => undefined,
    onDamage: () => {},
    addMetrics: () => {},
    clock,
    logger: pino({ level: 'silent' }),
  });
  const childAt = (index: number) => children[index] as ChildProcess;
  const toBeStarted = (count: number) =>
    waitUntil('another in its place', () => {
      if (children.length < count) clock.advance(100);
      return children.length === count;
    });
  await once(childAt(0), 'message');
  childAt(0).kill('SIGSTOP');
  const first = once(childAt(0), 'exit');
  clock.advance(20_000);
  expect(await first).toEqual([null, 'SIGKILL']);

  await toBeStarted(2);
  const second = once(childAt(1), 'exit');
  // A start may take longer than a worker may be silent.
  clock.advance(59_000);
  expect(signals).toEqual(['SIGKILL']);
  clock.advance(2_000);
  expect(await second).toEqual([null, 'SIGKILL']);

  await toBeStarted(3);
  await once(childAt(2), 'message');
  const third = once(childAt(2), 'exit');
  await supervisor.stop();
  expect(await third).toEqual([null, 'SIGTERM']);
});
