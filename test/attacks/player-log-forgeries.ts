/** Player log events of sessions that never were, and more of a session than it can hold. */
import { randomUUID } from 'node:crypto';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { beginSession, reportEvent, type Session } from './log-session.ts';
import { type Stranger, stranger, strangersSystem } from './stranger.ts';
import { addVictim, nothing, playbackOf, type Victim } from './victim.ts';

const daySeconds = 86_400;
const filmMs = 600_000;
const mostTries = 60;
/** The attack itself lasts some seconds, on a busy machine more. */
const mostSecondsAtOnce = 60;

export const playerLogForgeries: Attack = {
  name: 'player-log-forgeries',
  does: 'Ids counted from 1, a session start in 1999, a range of 24 h, ten ranges that overlap; sealed sessions changed, moved to another video, used for more than has passed',
  wanted:
    'a session that the service did not begin counts nothing, one that it did at most the time that passed',
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target, { filmMs });
    const other = await addVictim(target, { filmMs });
    const one = stranger(target, { address: stage.address() });
    const tries = await triesToFind(one, victim);
    const madeUp: Session = { ...numbersOf(victim), uid: randomUUID(), cs: '19990101000000' };
    const codes = [
      ...(await overlap(one, madeUp, daySeconds)),
      ...(await overlap(one, { ...madeUp, uid: randomUUID(), cs: hourAgo() }, 3_600)),
    ];
    const ofMadeUp = (await playbackOf(target, victim)).get(strangersSystem) ?? nothing;

    const begun = await beginSession(one, victim.videoKey);
    const changed = [
      { ...begun, uid: flipped(begun.uid) },
      { ...begun, cs: hourAgo() },
      { ...begun, ...numbersOf(other) },
      { ...begun, uid: begun.uid.slice(0, -1) },
      { ...begun, uid: '' },
    ];
    const changedCodes: string[] = [];
    for (const session of changed) changedCodes.push(...(await overlap(one, session, 3_600)));
    const ofChanged = (await playbackOf(target, victim)).get(strangersSystem) ?? nothing;
    const ofOther = (await playbackOf(target, other)).get(strangersSystem) ?? nothing;

    await overlap(one, begun, daySeconds);
    await overlap(one, begun, 120);
    await reportEvent(one, begun, { e: 'vs' });
    const ofBegun = (await playbackOf(target, victim)).get(strangersSystem) ?? nothing;
    one.close();
    const begunSeconds = ofBegun.seconds - ofChanged.seconds;
    const begunPlays = ofBegun.plays - ofChanged.plays;
    return {
      measured:
        `${tries ? `found the video in ${tries} tries` : `not found in ${mostTries} tries`}; ` +
        `made up ${hours(ofMadeUp.seconds)} (${[...new Set(codes)]}); changed ` +
        `${hours(ofChanged.seconds - ofMadeUp.seconds + ofOther.seconds)} ` +
        `(${[...new Set(changedCodes)]}); begun ${begunPlays} play, ${begunSeconds} s`,
      wrong: wrongIn({
        [`found in ${tries} tries`]: tries !== undefined,
        [`made up ${ofMadeUp.plays} plays, ${ofMadeUp.seconds} s`]:
          ofMadeUp.plays + ofMadeUp.seconds > 0,
        [`changed ${ofChanged.plays} plays`]: ofChanged.plays > ofMadeUp.plays,
        [`changed ${ofChanged.seconds} s`]: ofChanged.seconds > ofMadeUp.seconds,
        [`moved ${ofOther.plays} plays, ${ofOther.seconds} s`]: ofOther.plays + ofOther.seconds > 0,
        [`begun ${begunSeconds} s`]: begunSeconds > mostSecondsAtOnce,
        [`begun ${begunPlays} plays`]: begunPlays !== 1,
      }),
    };
  },
};

function hours(seconds: number): string {
  return `${(seconds / 3_600).toFixed(1)} h`;
}

function numbersOf({ accountId, packageId, videoId }: Victim) {
  return { gid: accountId, pid: packageId, vid: videoId };
}

/** The number of the first try whose answer differs from the one for a video that is not there. */
async function triesToFind(one: Stranger, victim: Victim): Promise<number | undefined> {
  const known = numbersOf(victim);
  const none = { gid: 4_000_000, pid: 4_000_000, vid: 4_000_000 };
  const session = () => ({ uid: randomUUID(), cs: hourAgo() });
  const answerToNone = await reportEvent(one, { ...session(), ...none }, { e: 'vs' });
  // A small service has few accounts, packages and videos: the stranger counts from 1.
  const guesses = [1, 2, 3, 4].flatMap((gid) =>
    [1, 2, 3, 4].flatMap((pid) => [1, 2, 3, 4].map((vid) => ({ gid, pid, vid }))),
  );
  const tried = [...guesses.slice(0, mostTries - 1), known];
  for (const [index, numbers] of tried.entries()) {
    const answer = await reportEvent(one, { ...session(), ...numbers }, { e: 'vs' });
    if (answer !== answerToNone) return index + 1;
  }
  return undefined;
}

/** Ten ranges of so many seconds each, which overlap; what the answers say. */
async function overlap(one: Stranger, session: Session, seconds: number): Promise<string[]> {
  const codes: string[] = [];
  for (let number = 0; number < 10; number += 1) {
    const range = { dst: number, det: seconds - 10 + number };
    codes.push(await reportEvent(one, session, { e: 'vi', ...range }));
  }
  return codes;
}

function hourAgo(): string {
  const text = new Date(Date.now() - 3_600_000).toISOString();
  return text.replaceAll(/\D/g, '').slice(0, 14);
}

/** Another character in its middle. */
function flipped(text: string): string {
  const middle = Math.floor(text.length / 2);
  const other = text[middle] === 'a' ? 'b' : 'a';
  return `${text.slice(0, middle)}${other}${text.slice(middle + 1)}`;
}
