/** All attacks, in the order of docs/attacks.md. A new one is added here. */
import { hostileThumbnail, loudAnswers } from './answers-to-strangers.ts';
import type { Attack } from './attack.ts';
import { newNames, newVersions } from './cardinality.ts';
import { costlyLines, sharedNumbers } from './cmcd-lines.ts';
import { bytesInChunks, manyConnections, slowBodies } from './connections.ts';
import { costlyQuestions } from './costly-questions.ts';
import { firstStart, readableFolder } from './data-folder.ts';
import { endlessEvents, endlessStretches, floodedDay } from './endless-views.ts';
import {
  engineReset,
  engineStandsStill,
  engineWithoutPassword,
} from './engine-without-password.ts';
import { foreignPage } from './foreign-page.ts';
import { forwardedAddresses } from './forwarded-addresses.ts';
import { forwardedText } from './forwarded-text.ts';
import { fuzz } from './fuzz.ts';
import { longBeacons, manyViews, oneSlot } from './inflated-playback.ts';
import { keptAnswers } from './kept-answers.ts';
import { guessedKeys, keyMakesMore, pipelinedKeys } from './keys.ts';
import { newValues } from './new-values.ts';
import {
  openAddresses,
  pipelinedReadiness,
  unreadAnswers,
  unreadStatistics,
} from './open-addresses.ts';
import { guessedCodes, guessedPasswords, takenLinks } from './people.ts';
import { playerLogFlood } from './player-log-flood.ts';
import { playerLogForgeries } from './player-log-forgeries.ts';
import { costlyTokens, sharedToken } from './view-tokens.ts';

export const attacks: readonly Attack[] = [
  longBeacons,
  newVersions,
  engineWithoutPassword,
  engineReset,
  engineStandsStill,
  manyConnections,
  forwardedAddresses,
  foreignPage,
  playerLogForgeries,
  oneSlot,
  manyViews,
  keptAnswers,
  costlyQuestions,
  readableFolder,
  keyMakesMore,
  guessedKeys,
  hostileThumbnail,
  firstStart,
  loudAnswers,
  fuzz,
  sharedToken,
  costlyTokens,
  newNames,
  newValues,
  slowBodies,
  bytesInChunks,
  unreadAnswers,
  unreadStatistics,
  openAddresses,
  endlessEvents,
  endlessStretches,
  floodedDay,
  sharedNumbers,
  costlyLines,
  playerLogFlood,
  pipelinedKeys,
  pipelinedReadiness,
  forwardedText,
  guessedPasswords,
  guessedCodes,
  takenLinks,
];
