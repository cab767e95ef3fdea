/** Checks: of what the service depends on, and of what it stores. */
import { describeFindings, examine } from '../../maintenance/doctor/doctor.ts';
import { describeVerification } from '../../maintenance/verify/verification-text.ts';
import { verify as check } from '../../maintenance/verify/verify.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { withBar } from '../runner/input.ts';
import { withInterruption } from '../runner/interruption.ts';
import { jsonOption, optionalOption } from '../runner/options.ts';
import { operator } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const doctor: Verb = {
  words: 'doctor',
  summary: 'Check everything the service depends on, and say how to mend what is wrong',
  options: { json: jsonOption },
  async run(_given, parts) {
    const examinations = await parts.examinations();
    const findings = await withInterruption((signal) =>
      withBar((noteProgress) => examine(examinations, { signal, noteProgress })),
    );
    return describeFindings(findings);
  },
};

export const verify: Verb = {
  words: 'verify',
  summary: 'Check that facts, sums, catalog and journal are whole and fit together',
  options: {
    account: optionalOption('Check only the statistics of this account; default: all', 'N'),
    repair: { type: 'boolean', description: 'Make wrong sums again from the facts' },
    json: jsonOption,
  },
  async run(given, parts) {
    const accountId = given.has('account') ? given.id('account') : undefined;
    const upkeep = await parts.openMaintenance();
    try {
      if (accountId !== undefined && !(await upkeep.catalog.accounts.find(accountId))) {
        throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
      }
      const catalog = upkeep.catalog.as(operator());
      const repairs = given.flag('repair');
      const verification = await withInterruption((signal) =>
        withBar((noteProgress) =>
          check({ ...upkeep, catalog }, { accountId, repairs, signal, noteProgress }),
        ),
      );
      return describeVerification(verification);
    } finally {
      await upkeep.close();
    }
  },
};
