import { describeFindings, examine } from '../../maintenance/doctor/doctor.ts';
import { withInterruption } from '../runner/interruption.ts';
import { jsonOption } from '../runner/options.ts';
import { withBar } from '../runner/progress-bar.ts';
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
