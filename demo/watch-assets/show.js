/** Puts an answer, or what is in its way, on the page. */
import { dayName, duration } from './days.js';
import { element } from './element.js';
import { locale, say } from './words.js';

const reader = { locale, say };

/** @param {import('./ask.js').Answer} answer */
export function showAnswer({ days, today, completeThrough, zone, question }) {
  const current = days.find(({ date }) => date === today);
  const plays = Number(current?.videoCount ?? 0);
  show('plays', [[plays.toLocaleString(locale), '']]);
  show('time', duration(Number(current?.duration ?? 0), reader));

  showDays(days, today);

  const complete = element('complete', HTMLTimeElement);
  complete.dateTime = completeThrough.toISOString();
  complete.textContent = completeThrough.toLocaleTimeString(locale, { timeZone: zone });
  element('zone').textContent = zone.replaceAll('_', ' ');
  element('question').textContent = `curl -H "x-api-key: $KEY" \\\n  "${question}"`;

  const everyPlay = days.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
  setMessage(everyPlay === 0 ? say('nothing') : '');
  setStatus('live', say('live'));
}

/**
 * @param {import('./ask.js').Day[]} days
 * @param {string} today
 */
function showDays(days, today) {
  const table = element('days');
  const state = JSON.stringify([today, days]);
  // Left alone while nothing changes, so that text in it can be selected.
  if (table.dataset.shown === state) return;
  table.dataset.shown = state;
  const longest = Math.max(...days.map((day) => Number(day.duration)), 1);
  const rows = [...days]
    .sort((a, b) => b.date.localeCompare(a.date))
    .map((day) => row(day, today, Number(day.duration) / longest));
  table.querySelector('tbody')?.replaceChildren(...rows);
}

/**
 * Puts the account's videos in the place of one that cannot be played.
 * @param {string} missingKey Empty where none was asked for.
 * @param {import('./account.js').Video[] | undefined} videos Undefined where they are not known.
 * @param {URL} base
 */
export function showVideos(missingKey, videos, base) {
  const others = videos?.filter(({ videoKey }) => videoKey !== missingKey) ?? [];
  element('player').hidden = true;
  element('library').hidden = false;
  element('library-note').textContent = noteAbout(missingKey, videos, others.length);
  const lines = others.map(({ title, videoKey }) => {
    const line = document.createElement('li');
    const link = document.createElement('a');
    link.href = new URL(`watch/${encodeURIComponent(videoKey)}`, base).href;
    link.textContent = title;
    line.append(link);
    return line;
  });
  element('videos').replaceChildren(...lines);
}

/**
 * @param {string} missingKey
 * @param {import('./account.js').Video[] | undefined} videos
 * @param {number} others
 */
function noteAbout(missingKey, videos, others) {
  const missing = missingKey === '' ? '' : `${say('noFile')} `;
  if (videos === undefined) return missing + say('infoKey');
  return missing + say(others === 0 ? 'noOther' : 'choose');
}

/** @param {string} message What keeps the numbers from being up to date. */
export function showTrouble(message) {
  setMessage(message);
  setStatus('trouble', say('late'));
}

/**
 * @param {string} message
 * @param {boolean} refused A key was given, but not taken.
 */
export function showKeyWanted(message, refused) {
  setMessage(message);
  setStatus(refused ? 'trouble' : 'asleep', say(refused ? 'keyRefused' : 'keyWanted'));
}

/**
 * @param {string} id
 * @param {[number: string, unit: string][]} parts
 */
function show(id, parts) {
  const place = element(id);
  const text = parts.flat().join(' ');
  if (place.dataset.shown === text) return;
  const grown = place.dataset.shown !== undefined;
  place.dataset.shown = text;
  place.replaceChildren(...withUnits(parts));
  if (!grown || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  place.animate({ color: ['var(--accent)', 'var(--text)'] }, { duration: 900, easing: 'ease-out' });
}

/** @param {[number: string, unit: string][]} parts */
function withUnits(parts) {
  return parts.flatMap(([number, unit]) => {
    const small = document.createElement('small');
    small.textContent = unit;
    return unit === '' ? [number] : [number, '\u202f', small, ' '];
  });
}

/**
 * @param {import('./ask.js').Day} day
 * @param {string} today
 * @param {number} share Of the longest day.
 */
function row(day, today, share) {
  const line = document.createElement('tr');
  line.classList.toggle('current', day.date === today);
  const name = document.createElement('th');
  name.scope = 'row';
  name.textContent = dayName(day.date, today, reader);
  const plays = document.createElement('td');
  plays.className = 'number';
  const count = Number(day.videoCount);
  plays.append(
    ...withUnits([[count.toLocaleString(locale), say(count === 1 ? 'onePlay' : 'plays')]]),
  );
  const time = document.createElement('td');
  time.className = 'bar';
  // Through the object model: the page's policy forbids style attributes.
  time.style.setProperty('--share', String(share));
  time.append(...withUnits(duration(Number(day.duration), reader)));
  line.append(name, plays, time);
  return line;
}

/** @param {string} text */
function setMessage(text) {
  const message = element('message');
  message.textContent = text;
  message.hidden = text === '';
}

/**
 * @param {string} state
 * @param {string} text
 */
function setStatus(state, text) {
  const status = element('status');
  status.dataset.state = state;
  // Written only when it changes: it is read aloud.
  if (status.textContent !== text) status.textContent = text;
}
