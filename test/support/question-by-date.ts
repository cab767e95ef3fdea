import type { Question } from '../../src/query/parse/question.ts';

/** Three days of an account, the newest first. */
export const questionByDate: Question = {
  accountId: 7,
  statistic: 'date',
  firstDay: '2026-05-04',
  lastDay: '2026-05-06',
  timeZone: 'UTC',
  packageId: undefined,
  accessKey: undefined,
  given: {},
  sortData: 'date',
  sortDirection: 'desc',
  fillZero: false,
  pageSize: 30,
};
