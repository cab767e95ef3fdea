import type { OperatingSystemName } from './operating-system-names.ts';

/**
 * A correction to the library: where it is silent or mistaken. The version is the first group of
 * the match unless `version` says otherwise.
 */
export interface UserAgentRule {
  readonly name: OperatingSystemName;
  readonly pattern: RegExp;
  readonly version?: (match: RegExpExecArray, userAgent: string) => string | undefined;
}
