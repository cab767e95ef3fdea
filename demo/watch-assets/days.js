/** Days and times as a person reads them. */

/**
 * @typedef {object} Reader
 * @property {string} locale
 * @property {(name: string) => string} say
 */

/** The viewer's zone, until the account's is known. */
export const viewerZone = zoneOfBrowser();

/**
 * @param {Date} moment
 * @param {string} zone
 * @returns {string} yyyy-mm-dd
 */
export function dayIn(moment, zone) {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map((p) => [p.type, p.value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/**
 * @param {string} day yyyy-mm-dd
 * @param {number} count
 */
export function daysBefore(day, count) {
  const moment = new Date(`${day}T12:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() - count);
  return moment.toISOString().slice(0, 10);
}

/**
 * @param {string} day yyyy-mm-dd
 * @param {string} today
 * @param {Reader} reader
 */
export function dayName(day, today, { locale, say }) {
  if (day === today) return say('today');
  if (day === daysBefore(today, 1)) return say('yesterday');
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format(new Date(`${day}T12:00:00Z`));
}

/**
 * The two largest units: more is not read.
 * @param {number} seconds
 * @param {Reader} reader
 * @returns {[number: string, unit: string][]}
 */
export function duration(seconds, { locale, say }) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours > 0)
    return [
      [hours.toLocaleString(locale), say('hours')],
      [pad(minutes), say('minutes')],
    ];
  if (minutes > 0)
    return [
      [String(minutes), say('minutes')],
      [pad(seconds % 60), say('seconds')],
    ];
  return [[String(seconds), say('seconds')]];
}

/** @param {number} part */
function pad(part) {
  return String(part).padStart(2, '0');
}

function zoneOfBrowser() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // Some hardened browsers give a zone that no database has.
  return timeZone && !timeZone.startsWith('Etc/') ? timeZone : 'UTC';
}
