/** The settings of what counts as usual playback; part of config.ts. */
import { whole } from './setting-types.ts';

/** What goes beyond is set apart; see docs/unusual-playback.md. */
export const usualSettings = {
  USUAL_VIEWS_BY_ADDRESS: whole(
    'New views a minute from one IP address (IPv6: /64 network; a /48 network 16 times as ' +
      'many) without a key, and three times as many at once; 0: no limit',
    200,
    0,
    100_000_000,
  ),
  USUAL_PLAYERS_BY_ADDRESS: whole(
    'Players at once behind one such address; 0: no limit',
    600,
    0,
    100_000_000,
  ),
  USUAL_VIEWS_BY_VIDEO: whole(
    'New views a minute of one video, and ten times as many at once; 0: no limit',
    10_000,
    0,
    100_000_000,
  ),
  USUAL_PLAYERS_BY_VIDEO: whole(
    'Players at once of one video; 0: no limit',
    100_000,
    0,
    100_000_000,
  ),
  USUAL_VIEWS_BY_VIEWER: whole(
    'New views a minute of one viewer, if signed tokens name viewers, and three times as many ' +
      'at once; 0: no limit',
    10,
    0,
    100_000_000,
  ),
  USUAL_PLAYERS_BY_VIEWER: whole(
    'Players at once of one such viewer; 0: no limit',
    4,
    0,
    100_000_000,
  ),
  USUAL_MB_BY_ADDRESS: whole(
    'Playback of one such address in a day, in MB: 300 bytes for each quarter of an hour of a ' +
      'stretch; each of `WORKERS` counts for itself; 0: no limit',
    300,
    0,
    1_000_000_000,
  ),
  USUAL_MB_BY_ACCOUNT: whole(
    'Playback of one account in a day without a key, in MB, counted in the same way; 0: no limit',
    20_000,
    0,
    1_000_000_000,
  ),
  USUAL_STRETCHES: whole(
    'Stretches of one view on one day (UTC) without a key; 0: no limit',
    2_000,
    0,
    1_000_000,
  ),
  SET_APART_MB_PER_DAY: whole(
    'Playback set apart of one account in a day, in MB: 100 bytes for each quarter of an hour of a ' +
      'stretch, and at once as much as comes in ten minutes; further is refused; 0: no limit',
    2_000,
    0,
    1_000_000_000,
  ),
  USUAL_LENGTHS: whole(
    'Lengths of its video, if known, that a view may play beyond the time that passes; 0: no limit',
    10,
    0,
    1_000_000,
  ),
};
