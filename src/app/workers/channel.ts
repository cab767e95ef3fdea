/** Messages between the parent and one worker, with questions that are answered. */
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Message, Question } from './messages.ts';

/** The other end may have ended, or hang; what it asks others for takes less. */
const answerWithinMs = 3_000;

export interface Channel {
  send(message: Message): void;
  /** Rejects with UNAVAILABLE if there is no answer in time. */
  ask<Answer>(question: Question, withinMs?: number): Promise<Answer>;
  /** To be called with each message that arrives. */
  take(message: Message): void;
}

interface ChannelOptions {
  readonly send: (message: Message) => void;
  readonly clock: Pick<Clock, 'after'>;
  /** May answer at once, or later. */
  answer(question: Question): unknown;
  /** Receives all but questions and answers. */
  receive(message: Message): void;
}

export function createChannel({ send, clock, answer, receive }: ChannelOptions): Channel {
  const asked = new Map<number, (answer: unknown) => void>();
  let lastId = 0;
  return {
    send,
    ask: <Answer>(question: Question, withinMs = answerWithinMs) =>
      new Promise<Answer>((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const cancel = clock.after(withinMs, () => {
          asked.delete(id);
          const detail = 'A process of this node does not answer';
          reject(new Fault('UNAVAILABLE', detail, { retryAfterSeconds: 1 }));
        });
        asked.set(id, (given) => {
          cancel();
          asked.delete(id);
          resolve(given as Answer);
        });
        send({ kind: 'question', id, question });
      }),
    take(message) {
      if (message.kind === 'answer') {
        asked.get(message.id)?.(message.answer);
      } else if (message.kind === 'question') {
        const { id, question } = message;
        // Without an answer the other end gives up in time.
        void Promise.resolve(answer(question)).then(
          (given) => send({ kind: 'answer', id, answer: given }),
          () => {},
        );
      } else {
        receive(message);
      }
    },
  };
}
