/** Connections from several processes at once, held open until the siege ends. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Stage, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import type { ConnectionPlan } from './open-connections.ts';
import type { Target } from './target.ts';
import { addVictim } from './victim.ts';

const program = join(import.meta.dirname, 'open-connections.ts');
const attackers = 3;
const mostGrownMb = 300;

type Sent = Pick<ConnectionPlan, 'text' | 'padding' | 'isDeaf'>;

interface MemorySiege {
  /** Of each attacker. */
  readonly connections: number;
  readonly heldMs: number;
  /** Of the first attacker, 127.NETWORK.0.0/24; the others have the next. */
  readonly network: number;
  readonly sent: Sent;
  /** Whether players must be answered within 250 ms; they may never be refused. */
  readonly judgesTimes?: boolean;
}

/** What a siege does to the memory of the service, and to those who watch beside it. */
export async function besiegeMemory(
  stage: Stage,
  { connections, heldMs, network, sent, judgesTimes = false }: MemorySiege,
): Promise<Struck> {
  const target = await stage.start({});
  const victim = await addVictim(target);
  const bystanders = await seatBystanders(stage, target, victim);
  const beforeMb = target.residentMb();
  // From many addresses: what one of them may hold open is another matter.
  const addressesOf = (attacker: number) =>
    Array.from({ length: 200 }, (_, number) => `127.${attacker + network}.0.${number}`);
  const siege = await besiege(target, connections, addressesOf, sent);
  await sleep(heldMs);
  const grownMb = Math.round(target.residentMb() - beforeMb);
  const held = await siege.open();
  await siege.end();
  const seen = await bystanders.leave();
  return {
    measured: `${held} held, memory ${grownMb} MB more; ${seen.measured}`,
    wrong: [...seen.wrong, ...wrongIn({ [`memory grew by ${grownMb} MB`]: grownMb > mostGrownMb })],
    slow: judgesTimes ? seen.slow : [],
  };
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
      const next = (): Promise<number> =>
        new Promise((resolve) => {
          answers.once('line', (line) => resolve(Number(line)));
          ended.then(() => resolve(0));
        });
      await next();
      return {
        open(): Promise<number> {
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
    /** How many of the connections are open by now. */
    async open(): Promise<number> {
      const counts = await Promise.all(besiegers.map(({ open }) => open()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async end(): Promise<void> {
      await Promise.all(besiegers.map(({ end }) => end()));
    },
  };
}
