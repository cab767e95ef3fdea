import { isbot } from 'isbot';
import type { Refusal, Step, Viewer } from './draft.ts';

const namesItself = /^Mozilla\/|bot|crawl|spider|headless/i;
const rememberedUserAgents = 2_000;
const known = new Map<string, boolean>();

/**
 * Sets announced bots apart. isbot takes every bare client name for a bot ("okhttp/4", "VLC/3",
 * "(iPhone14,2; iOS 17.4) App/1.2"), which here are native players: only what looks like a browser,
 * or calls itself a bot, is asked about.
 */
export const sieveBots: Step = {
  name: 'sieve bots',
  run: ({ viewer }) => refuseBot(viewer),
};

/** For ways that keep something of what is sent before there is a draft. */
export function refuseBot({ userAgent }: Viewer): Refusal | undefined {
  if (userAgent === undefined || !isBot(userAgent)) return undefined;
  return { code: 'BOT', detail: 'userAgent: says that it is a bot; set apart, not counted' };
}

function isBot(userAgent: string): boolean {
  let answer = known.get(userAgent);
  if (answer === undefined) {
    answer = namesItself.test(userAgent) && isbot(userAgent);
    if (known.size >= rememberedUserAgents) known.clear();
    known.set(userAgent, answer);
  }
  return answer;
}
