/** Connections from several processes at once, held open until the siege ends. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.ts';
import { type Stage, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import type { Besieging, ConnectionPlan } from './open-connections.ts';
import type { Target } from './target.ts';
import { addVictim, type Victim } from './victim.ts';

const program = join(import.meta.dirname, 'open-connections.ts');
const attackers = 3;
const usuallyGrownMb = 300;
const answeredWithinMs = 60_000;

const none: Besieging = { sent: 0, open: 0, answered: 0 };

type Sent = Pick<ConnectionPlan, 'text' | 'rest' | 'isDeaf'>;

interface MemorySiege {
  /** Of each attacker. */
  readonly connections: number;
  readonly heldMs: number;
  /** Of the first attacker, 127.NETWORK.0.0/24; the others have the next. */
  readonly network: number;
  readonly sent: Sent | ((victim: Victim) => Sent);
  /** How much memory may grow. */
  readonly mostGrownMb?: number;
  /** Whether what is sent can be answered: then it is held until the first answers come. */
  readonly expectsAnswers?: boolean;
  /** Whether players must be answered within 250 ms; they may never be refused. */
  readonly judgesTimes?: boolean;
}

/** What a siege does to the memory of the service, and to those who watch beside it. */
export async function besiegeMemory(
  stage: Stage,
  { connections, heldMs, network, sent, ...judged }: MemorySiege,
): Promise<Struck> {
  const { expectsAnswers = false, judgesTimes = false, mostGrownMb = usuallyGrownMb } = judged;
  const target = await stage.start({});
  const victim = await addVictim(target);
  const bystanders = await seatBystanders(stage, target, victim);
  const beforeMb = target.residentMb();
  // From many addresses: what one of them may hold open is another matter.
  const addressesOf = (attacker: number) =>
    Array.from({ length: 200 }, (_, number) => `127.${attacker + network}.0.${number}`);
  const text = typeof sent === 'function' ? sent(victim) : sent;
  const siege = await besiege(target, connections, addressesOf, text);
  await sleep(heldMs);
  const grownMb = Math.round(target.residentMb() - beforeMb);
  const isAnswering = async () => (await siege.look()).answered > 0;
  if (expectsAnswers) await waitUntil('answers', isAnswering, answeredWithinMs).catch(() => {});
  const held = await siege.look();
  await siege.end();
  const seen = await bystanders.leave();
  return {
    measured: `${held.open} held, memory ${grownMb} MB more; ${seen.measured}`,
    wrong: [
      ...seen.wrong,
      ...unsentOf(held, connections),
      ...wrongIn({
        'none was held': held.open === 0,
        'none was answered': expectsAnswers && held.answered === 0,
        [`memory grew by ${grownMb} MB`]: grownMb > mostGrownMb,
      }),
    ],
    slow: judgesTimes ? seen.slow : [],
  };
}

/** Empty if all attackers live and sent the text on all of their connections. */
export function unsentOf({ sent }: Besieging, connections: number): string[] {
  const all = attackers * connections;
  return wrongIn({ [`only ${sent} of ${all} connections sent anything`]: sent < all });
}

/** Resolves when all attackers have opened what they could, and sent the text on each. */
export async function besiege(
  { port }: Target,
  connections: number,
  addressesOf: (attacker: number) => readonly string[],
  sent: Sent = { text: 'G' },
) {
  const besiegers = await Promise.all(
    Array.from({ length: attackers }, async (_, attacker) => {
      const addresses = addressesOf(attacker);
      const plan: ConnectionPlan = { port, connections, addresses, ...sent };
      const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const answers = createInterface({ input: child.stdout });
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const next = (): Promise<Besieging> =>
        new Promise((resolve) => {
          answers.once('line', (line) => resolve(JSON.parse(line)));
          ended.then(() => resolve(none));
        });
      await next();
      return {
        look(): Promise<Besieging> {
          const answer = next();
          child.stdin.write('\n');
          return answer;
        },
        end(): Promise<void> {
          // With a thousand sockets, one that was asked to end has been seen not to.
          child.kill('SIGKILL');
          return ended;
        },
      };
    }),
  );
  return {
    /** How the connections of all attackers are by now. */
    async look(): Promise<Besieging> {
      const seen = await Promise.all(besiegers.map(({ look }) => look()));
      return seen.reduce((sum, { sent, open, answered }) => ({
        sent: sum.sent + sent,
        open: sum.open + open,
        answered: sum.answered + answered,
      }));
    },
    async end(): Promise<void> {
      await Promise.all(besiegers.map(({ end }) => end()));
    },
  };
}
