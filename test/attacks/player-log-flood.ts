/** Player log events of many sealed sessions at once: each is compared with those before it. */
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import { beginSession, reportEvent, type Session } from './log-session.ts';
import { all, type Stranger, stranger } from './stranger.ts';
import { addVictim } from './victim.ts';

export const playerLogFlood: Attack = {
  name: 'player-log-flood',
  does: '50 sessions of the player log, of each 100 events, on 50 connections at once',
  wanted: 'players beside them are answered within 250 ms (p99), and counted; nobody refused',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, victim);
    const one = stranger(target, { address: stage.address(), connections: 50 });
    const sessions = await all(Array(stage.isLong ? 50 : 5).keys(), 5, () =>
      beginSession(one, victim.videoKey),
    );
    const startedAt = performance.now();
    const codes = await all(sessions, 50, (session) =>
      sendEvents(one, session, stage.isLong ? 100 : 10),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    one.close();
    const seen = await bystanders.leave();
    const kinds = [...new Set(codes.flat())];
    return {
      measured: `${codes.flat().length} events in ${seconds.toFixed(1)} s (${kinds}); ${seen.measured}`,
      wrong: [...seen.wrong, ...wrongIn({ [`none was taken: ${kinds}`]: !kinds.includes('None') })],
      slow: seen.slow,
    };
  },
};

async function sendEvents(one: Stranger, session: Session, count: number): Promise<string[]> {
  const codes = [await reportEvent(one, session, { e: 'vs' })];
  for (let second = 1; second < count; second += 1) {
    codes.push(await reportEvent(one, session, { e: 'vi', dst: second - 1, det: second }));
  }
  return codes;
}
