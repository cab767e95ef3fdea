import { describeFindings, examine } from '../upkeep/doctor/doctor.ts';
import { jsonOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withBar } from './with-bar.ts';
import { withInterruption } from './with-interruption.ts';

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
