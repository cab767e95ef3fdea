import { addDays, todayIn } from '../calendar.ts';

const days = 30;

/** The last 30 days, in UTC as what arrives is booked. */
export function recentDays() {
  const edate = todayIn('UTC');
  return { sdate: addDays(edate, 1 - days), edate };
}
