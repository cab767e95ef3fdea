/**
 * An attack with a real player beside it on every service that it starts, who watches a film of
 * another account and has to be counted exactly. In the long form a browser watches too.
 */
import { readFile } from 'node:fs/promises';
import type { Attack, Stage, Struck } from './attack.ts';
import {
  browsersSystem,
  seatViewer,
  toleranceSeconds,
  viewersSystem,
  watchInBrowser,
} from './bystanders.ts';
import { keyFileOf } from './data-folder.ts';
import type { Target } from './target.ts';
import {
  type Account,
  addAccount,
  addVideo,
  exactSecondsOf,
  nothing,
  playbackOf,
  type Victim,
} from './victim.ts';

interface Seen {
  readonly measured: string;
  readonly wrong: readonly string[];
}

/** Attacks that seat bystanders themselves strike as they are. */
export async function strikeBesidePlayer(attack: Attack, stage: Stage): Promise<Struck> {
  if (attack.seatsBystanders) return attack.strike(stage);
  const players: Player[] = [];
  const start: Stage['start'] = async (options) => {
    const target = await stage.start(options);
    players.push(await seatPlayer(stage, target));
    return target;
  };
  const leave = () => Promise.all(players.map((player) => player.leave()));
  const struck = await attack.strike({ ...stage, start }).catch(async (error) => {
    await leave();
    throw error;
  });
  const seen = await leave();
  return {
    measured: [struck.measured, ...seen.map(({ measured }) => measured)].join('; '),
    wrong: [...struck.wrong, ...seen.flatMap(({ wrong }) => wrong)],
    slow: struck.slow ?? [],
  };
}

interface Player {
  /** Leaves, and is compared with what was counted. */
  leave(): Promise<Seen>;
}

/** Resolves when it is counted for the first time. */
async function seatPlayer(stage: Stage, target: Target): Promise<Player> {
  const film = await addVideo(target, await otherAccount(target));
  const inBrowser = stage.isLong ? await watchInBrowser(stage, target, film) : undefined;
  const refused: number[] = [];
  const viewer = seatViewer(target, {
    videoKey: film.videoKey,
    address: stage.address(),
    note: (status) => {
      if (status !== 200) refused.push(status);
    },
  });
  await viewer.isCounted;
  return {
    async leave() {
      const [playMs, browserSeconds] = await Promise.all([viewer.leave(), inBrowser?.leave()]);
      const wrong = await miscounted(target, film, Math.floor(playMs / 1_000), browserSeconds);
      const refusals = refused.length > 0 ? [`the player was refused: ${refused.join(', ')}`] : [];
      const ofBrowser = browserSeconds === undefined ? '' : `, ${browserSeconds} s in a browser`;
      return {
        measured: `beside it ${playMs} ms played${ofBrowser}`,
        wrong: [...wrong, ...refusals],
      };
    },
  };
}

async function miscounted(
  target: Target,
  film: Victim,
  seconds: number,
  browserSeconds = 0,
): Promise<string[]> {
  const counted = await playbackOf(target, film);
  const viewer = counted.get(viewersSystem) ?? nothing;
  const browser = counted.get(browsersSystem) ?? nothing;
  const exactSeconds = await exactSecondsOf(target, film, browsersSystem);
  const isBrowserRight =
    browser.plays === (browserSeconds > 0 ? 1 : 0) &&
    Math.abs((exactSeconds ?? browser.seconds) - browserSeconds) <= toleranceSeconds;
  return [
    ...(viewer.plays === 1 && viewer.seconds === seconds
      ? []
      : [`the player played ${seconds} s, counted ${JSON.stringify(viewer)}`]),
    ...(isBrowserRight
      ? []
      : [`the browser played ${browserSeconds} s, counted ${JSON.stringify(browser)}`]),
  ];
}

/** That of the first start, which no attack is on; releases that announce none get one more. */
async function otherAccount(target: Target): Promise<Account> {
  const announced = (text: string): Account | undefined => {
    const [, accountId, key] = /Account (\d+), API key[^:]*: (pm_\S+)/.exec(text) ?? [];
    return key === undefined ? undefined : { accountId: Number(accountId), key };
  };
  const printed = announced(target.printed.join('\n'));
  if (printed) return printed;
  const file = await keyFileOf(target);
  const kept = file === undefined ? undefined : announced(await readFile(file, 'utf8'));
  return kept ?? addAccount(target);
}
