/** Sessions of the player log, as players have them. */
import type { Stranger } from './stranger.ts';

export interface Session {
  readonly gid: number;
  readonly pid: number;
  readonly vid: number;
  readonly uid: string;
  readonly cs: string;
}

/** The code that answers it, or the status of an answer without one. */
export async function reportEvent(one: Stranger, session: Session, event: object): Promise<string> {
  const data = JSON.stringify({ plid: 1, ...session, ...event });
  const path = `/play/api/videoPlays?data=${encodeURIComponent(data)}`;
  const { status, text } = await one.send({ path });
  return status === 200 ? JSON.parse(text).errorInfo.errorCode : String(status);
}

export async function beginSession(one: Stranger, videoKey: string): Promise<Session> {
  const { text } = await one.send({ path: `/v1/player/stats/info.json?k=${videoKey}` });
  const { gid, pid, vid, uid, cs } = JSON.parse(text).statsInfo;
  return { gid, pid, vid, uid, cs };
}
