import { isbot } from 'isbot';
import type { Device, Refusal, Step } from '../draft.ts';
import { createUserAgentRecall, userAgentLimitChars } from '../enrich/user-agent-memory.ts';

/**
 * isbot takes every bare client name for a bot ("okhttp/4", "VLC/3",
 * "(iPhone14,2; iOS 17.4) App/1.2"), which here are native players: only what looks like a browser,
 * or calls itself a bot, is asked about.
 */
const looksLikeBrowserOrBot = /^Mozilla\/|bot|crawl|spider|headless/i;

/**
 * Devices and browsers whose names hold a word that isbot knows bots by: `OMI/4.20.Catcher4` of
 * televisions, phones such as `M bot 60`, the browser Sogou. They are taken out before it is asked.
 */
const innocentNames = new RegExp(
  [
    String.raw`\bOMI\/[\w.-]+`,
    String.raw`\bGoogle ?TV\b`,
    String.raw`\bGoogle (?:Galaxy )?Nexus\b`,
    String.raw`\bSogou(?:MSE|MobileBrowser|Explorer|Search(?= Android))`,
    String.raw`\bBada\/[\d.]+`,
    String.raw`\bHTC; Radar\b`,
    '(?<![a-z])(?:CU|FOSSi)BOT(?=[ _])',
    String.raw`(?<![a-z])(?:[BCM]|ID|VR)[ _]?bot(?=[ _](?:Tab[ _])?\d)`,
    '(?<![a-z])Power[ _]bot(?![a-z/])',
  ].join('|'),
  'gi',
);

/**
 * The model of an Android device, which may contain any of those words; a bot that writes its name
 * there uses one of these.
 */
const modelOfAndroid = new RegExp(
  [
    String.raw`(\bAndroid [\d.]+; (?:[a-z]{2}[-_][a-z]{2}; )?)`,
    '(?![^;()]*(?:bot|crawl|spider|headless|http))',
    String.raw`[^;()]+(?:\([^;()]*\))?(?=\) AppleWebKit| Build\/)`,
  ].join(''),
  'gi',
);

export type BotFilter = (device: Device) => Refusal | undefined;

export function createBotFilter(recall = createUserAgentRecall()): BotFilter {
  return ({ userAgent = '' }) => {
    const memory = recall(userAgent);
    memory.isBot ??= isBot(userAgent);
    if (!memory.isBot) return undefined;
    return { code: 'BOT', detail: 'userAgent: belongs to a bot; not counted' };
  };
}

/** Refuses announced bots. */
export function refuseBots(refuseBot: BotFilter): Step {
  return { name: 'sieve bots', run: ({ device }) => refuseBot(device) };
}

/** Bots announce themselves well before the limit; isbot's work grows with the length. */
function isBot(userAgent: string): boolean {
  const beginning = userAgent.slice(0, userAgentLimitChars);
  const text = beginning.replace(innocentNames, 'x').replace(modelOfAndroid, '$1x');
  return looksLikeBrowserOrBot.test(text) && isbot(text);
}
