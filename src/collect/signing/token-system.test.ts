import { expect, test } from 'vitest';
import type { Fact } from '../../store/facts.ts';
import type { AgreeOnInstant } from '../steps/instant-agreement.ts';
import { oneSystemAToken } from './token-system.ts';

/** Nodes that agree on whatever came first. */
function agreeing() {
  const decided = new Map<string, number>();
  const agree: AgreeOnInstant = async ({ view }, name, proposal) => {
    const topic = `${view} ${name}`;
    decided.set(topic, decided.get(topic) ?? proposal);
    return decided.get(topic) as number;
  };
  return { agree, asked: decided };
}

const fact: Fact = {
  ...{ accountId: 1, packageId: 2, videoId: 3, suspect: '', slotStart: 0, view: 'signed' },
  ...{ os: 'Linux', osVersion: '6.1', stretch: 0, plays: 1, playMs: 5 },
};
const signed = new Set(['signed']);

test('time under a token counts on the system that came first, at all nodes', async () => {
  const { agree } = agreeing();
  const [keep, keepElsewhere] = [oneSystemAToken(agree), oneSystemAToken(agree)];
  const later = { ...fact, stretch: 1, plays: 0 } as const;
  const others: Fact[] = [
    { ...later, osVersion: '6.2' },
    { ...later, os: 'Android' },
  ];
  expect(await keep([fact, ...others, later], signed)).toEqual([fact, later]);
  expect(await keepElsewhere([...others, later], signed)).toEqual([later]);
});

test('what is not signed passes without a question', async () => {
  const { agree, asked } = agreeing();
  const facts = [fact, { ...fact, os: 'Android' }].map((one) => ({ ...one, view: 'open' }));
  expect(await oneSystemAToken(agree)(facts, signed)).toEqual(facts);
  expect(asked.size).toBe(0);
});
