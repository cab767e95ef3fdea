/** Asks the service for the last days, again and again while the page can be seen. */
import { zoneOf } from './account.js';
import { dayIn, daysBefore, viewerZone } from './days.js';
import { say } from './words.js';

/**
 * @typedef {{ date: string, videoCount: string, duration: string }} Day
 * @typedef {object} Answer
 * @property {Day[]} days
 * @property {string} today
 * @property {Date} completeThrough
 * @property {string} zone
 * @property {URL} question
 *
 * @typedef {object} Listener
 * @property {(answer: Answer) => void} onAnswer
 * @property {(message: string) => void} onTrouble
 * @property {(message: string) => void} onKeyRefused Asking has ended.
 */

const paceMs = 1000;
const longestPauseMs = 30_000;
const answerLimitMs = 10_000;
const daysShown = 7;

/** @type {Record<number, string>} */
const refusals = { 401: say('keyUnknown'), 403: say('keyLacks') };

/** @type {AbortController | undefined} */
let asking;

/**
 * Asks with this key from now on, and with no other.
 * @param {URL} base
 * @param {string} key
 * @param {Listener} listener
 */
export async function keepAsking(base, key, listener) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  let now = new Date();
  let failures = 0;
  /** The account's, by whose days it is asked and counted. */
  let zone = await zoneOf(base, key);

  while (!signal.aborted) {
    await untilVisible();
    zone ??= await zoneOf(base, key);
    const question = questionAbout(base, now, zone ?? viewerZone);
    const { status, headers, days } = await ask(question, key);
    if (signal.aborted) return;
    const refusal = refusals[status];
    if (refusal !== undefined) {
      listener.onKeyRefused(refusal);
      return;
    }
    if (days !== undefined) {
      failures = 0;
      // The device's clock may be wrong by days; the service says what day it is.
      now = timeIn(headers, 'as-of') ?? new Date();
      listener.onAnswer({
        days,
        today: dayIn(now, zone ?? viewerZone),
        completeThrough: timeIn(headers, 'complete-through') ?? now,
        zone: zone ?? viewerZone,
        question,
      });
      await pause(paceMs);
    } else {
      failures += 1;
      const askedMs = Number(headers.get('retry-after')) * 1000 || 0;
      const ownMs = Math.min(paceMs * 2 ** failures, longestPauseMs);
      listener.onTrouble(troubleOf(status));
      await pause(Math.max(askedMs, ownMs));
    }
  }
}

/**
 * @param {URL} base
 * @param {Date} now
 * @param {string} zone
 */
function questionAbout(base, now, zone) {
  const question = new URL('report/statistics/video/v1/info/date', base);
  const today = dayIn(now, zone);
  question.search = new URLSearchParams({
    sdate: daysBefore(today, daysShown - 1),
    edate: today,
    fill: 'zero',
    timeZone: zone,
  }).toString();
  return question;
}

/**
 * Status 0 where no answer came, or not whole.
 * @param {URL} question
 * @param {string} key
 * @returns {Promise<{ status: number, headers: Headers, days?: Day[] }>}
 */
async function ask(question, key) {
  try {
    const response = await fetch(question, {
      headers: { 'x-api-key': key },
      cache: 'no-store',
      signal: AbortSignal.timeout(answerLimitMs),
    });
    const { status, headers } = response;
    return status === 200 ? { status, headers, days: (await response.json()).data.list } : response;
  } catch {
    return { status: 0, headers: new Headers() };
  }
}

/** @param {number} status */
function troubleOf(status) {
  if (status === 0) return say('noAnswer');
  if (status === 429) return say('tooMany');
  if (status === 503) return say('busy');
  return say('answered', { status });
}

/**
 * @param {Headers} headers
 * @param {string} name
 */
function timeIn(headers, name) {
  const time = new Date(headers.get(name) ?? '');
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @returns {Promise<void>} */
function untilVisible() {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}
