import type { Catalog } from '../catalog/catalog.ts';
import type { Importer } from '../collect/importer.ts';
import type { SuspectDesk } from '../collect/unusual/suspect-desk.ts';
import type { ErasureDesk } from '../erasing/erasure-desk.ts';
import type { Clock } from '../lib/clock.ts';
import type { Sealer } from '../lib/sealer.ts';
import type { Keeping } from '../managing/privacy-sheet.ts';
import type { RuleDesk } from '../notify/read-rule.ts';
import type { QuestionDesk } from '../report/query/question-desk.ts';
import type { Backup } from '../upkeep/backup/read-backup.ts';
import type { RestoreOptions } from '../upkeep/backup/restoring.ts';
import type { BackupSource } from '../upkeep/backup/source.ts';
import type { Examination } from '../upkeep/doctor/doctor.ts';
import type { Place } from '../upkeep/places/place.ts';
import type { TableDesk } from '../upkeep/table-desk.ts';
import type { Upkeep } from '../upkeep/upkeep.ts';
import type { Verification } from '../upkeep/verify.ts';
import type { Role } from '../wire/roles.ts';
import type { Arguments } from './arguments.ts';
import type { Option } from './options.ts';

/** What the composition root hands to the command line. */
export interface Parts {
  readonly version: string;
  readonly clock: Clock;
  /** The folder of the media that this service serves, and the URL under which it is reached. */
  readonly content: { readonly contentFolder: string; readonly publicUrl: string };
  /** What the configuration says of how long things are kept. */
  readonly keeping: Keeping;
  /** Fails if there is none yet, and creates nothing. */
  openCatalog(): Promise<Catalog>;
  /** Creates it if there is none. */
  makeCatalog(): Promise<Catalog>;
  /** Runs the service until it is asked to stop. */
  serve(role: Role): Promise<void>;
  openImporter(): Promise<Importer>;
  openSuspects(): Promise<SuspectDesk>;
  openQuestions(): Promise<QuestionDesk>;
  openUpkeep(): Promise<Upkeep>;
  openErasing(): Promise<ErasureDesk>;
  openTables(): Promise<TableDesk>;
  openBackupSource(): Promise<BackupSource>;
  /** What `doctor` looks at. */
  examinations(): Promise<readonly Examination[]>;
  /** A folder by its path, or `s3://bucket/prefix`. */
  openPlace(location: string): Place;
  restore(backup: Backup, options: RestoreOptions): Promise<Verification>;
  /** See createSigningSealer. */
  signingSealer(): Promise<Sealer>;
  /** What is needed to make alerts and reports. */
  ruleDesk(): Promise<RuleDesk>;
  /** The OpenAPI document. */
  describeInterface(): Promise<object>;
  /** Writes one line to standard output: the result. */
  print(line: string): void;
  /** Writes one line to standard error: everything else. */
  complain(line: string): void;
}

/** One thing the command line can do. */
export interface Verb {
  /** One or two words: `version`, `account create`. */
  readonly words: string;
  readonly summary: string;
  readonly options: Record<string, Option>;
  run(given: Arguments, parts: Parts): Promise<Outcome | undefined>;
}

/** The result of a verb: as JSON with `--json`, otherwise as lines for people. */
export interface Outcome {
  /** Undefined: nothing is left to print. */
  readonly json?: object;
  readonly lines: readonly string[];
  /** Whether some of it was refused: exit code 1, after all of it is printed. */
  readonly isIncomplete?: boolean;
}
