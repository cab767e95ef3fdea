/** A configuration that cannot be used: what else is there depends on it, and is not looked at. */
import type { Examination } from './doctor.ts';
import { error } from './finding.ts';

/** `complaints`: settings, each with what it must be. */
export function lookAtComplaints(complaints: readonly string[]): Examination {
  const remedy = 'Set it as docs/configuration.md says; then run doctor again for all the rest';
  return {
    subject: 'Configuration',
    remedy,
    look: async () => complaints.map((complaint) => error(`Configuration: ${complaint}`, remedy)),
  };
}
