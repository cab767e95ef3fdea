import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { createUnsentAnswers, type HoldUnsent } from './unsent-answers.ts';

const room = { ofAccount: 3_000_000, ofShares: 1_000_000, inAll: 5_000_000 };
let holdUnsent: HoldUnsent;
let limited: string[];
beforeEach(() => {
  limited = [];
  const note = ({ accountId }: { accountId: number }, reason: string) =>
    void limited.push(`${accountId} ${reason}`);
  holdUnsent = createUnsentAnswers(note, room);
});

const hold = (accountId: number, rows: number, shareId?: number) => {
  const response = Object.assign(new EventEmitter(), { closed: false });
  holdUnsent({ accountId, ...(shareId === undefined ? {} : { shareId }) }, rows, response);
  return response;
};
const tooMany = expect.objectContaining({ code: 'RATE_LIMITED' });

test('large answers of an account wait up to its room, and are gone when they are sent', () => {
  const [first] = [hold(1, 10_000), hold(1, 20_000)];
  expect(() => hold(1, 1_000)).toThrow(tooMany);
  expect(limited).toEqual(['1 AT_ONCE']);
  hold(1, 600);
  hold(2, 10_000);
  first?.emit('close');
  hold(1, 10_000);
  expect(() => hold(1, 1_000)).toThrow(tooMany);
});

test('an answer whose connection is lost by then takes no room', () => {
  const lost = Object.assign(new EventEmitter(), { closed: true });
  holdUnsent({ accountId: 1 }, 30_000, lost);
  hold(1, 30_000);
});

test('the readers of shares have a room of their own', () => {
  hold(1, 10_000, 7);
  expect(() => hold(1, 1_000, 8)).toThrow(tooMany);
  hold(1, 30_000);
});

test('all together wait up to a room as well', () => {
  hold(1, 30_000);
  hold(2, 20_000);
  expect(() => hold(3, 1_000)).toThrow(tooMany);
  hold(3, 600);
});
