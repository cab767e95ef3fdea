/** Requests with lines of CMCD, while players watch beside them. */
import { type Stage, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import { type Answered, type Stranger, statusesOf, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim } from './victim.ts';

const expected = new Set(['200', '429', '503']);

export type SendLines = (lines: readonly string[]) => ReturnType<Stranger['send']>;

interface LinesAttack {
  readonly connections: number;
  /** From how many the requests come in turn; default: one. */
  readonly addresses?: number;
  /** Sends what the attack is made of. */
  send(send: SendLines): Promise<readonly Answered[]>;
  /** What is wrong with the answers, besides statuses that none may have. */
  judge?(answers: readonly Answered[], target: Target): readonly string[];
}

export async function besetWithLines(
  stage: Stage,
  { connections, addresses = 1, send, judge = () => [] }: LinesAttack,
): Promise<Struck> {
  const target = await stage.start();
  const victim = await addVictim(target);
  const bystanders = await seatBystanders(stage, target, victim);
  const strangers = Array.from({ length: addresses }, () =>
    stranger(target, { address: stage.address(), connections }),
  );
  let requests = 0;
  const inTurn = () => strangers[requests++ % addresses] as Stranger;
  const answers = await send((lines) =>
    inTurn().send({
      method: 'POST',
      path: `/collect/v1/cmcd/${victim.videoKey}`,
      headers: { 'content-type': 'application/cmcd' },
      body: lines.join('\n'),
    }),
  );
  for (const one of strangers) one.close();
  const judged = judge(answers, target);
  const seen = await bystanders.leave();
  const statuses = statusesOf(answers);
  const unexpected = Object.keys(statuses).filter((status) => !expected.has(status));
  return {
    measured: `${JSON.stringify(statuses)}; ${seen.measured}`,
    wrong: [
      ...seen.wrong,
      ...wrongIn({ [`answers ${unexpected}`]: unexpected.length > 0 }),
      ...judged,
    ],
    slow: seen.slow,
  };
}
