/** Days and times as a person reads them. */

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
 */
export function dayName(day, today) {
  if (day === today) return 'Today';
  if (day === daysBefore(today, 1)) return 'Yesterday';
  return new Intl.DateTimeFormat('en', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format(new Date(`${day}T12:00:00Z`));
}

/**
 * The two largest units: more is not read.
 * @param {number} seconds
 * @returns {[number: string, unit: string][]}
 */
export function duration(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours > 0)
    return [
      [hours.toLocaleString('en'), 'h'],
      [pad(minutes), 'min'],
    ];
  if (minutes > 0)
    return [
      [String(minutes), 'min'],
      [pad(seconds % 60), 's'],
    ];
  return [[String(seconds), 's']];
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
