import type { RuleContext } from '../alerts/rule-parser.ts';
import type { Catalog, CatalogMove, CatalogMoveOptions } from '../catalog/catalog.ts';
import type { QuarantineReview } from '../collect/abuse/quarantine.ts';
import type { Importer } from '../collect/forms/import/fact-import.ts';
import type { Sealer } from '../lib/sealer.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Backup } from '../maintenance/backup/backup-reader.ts';
import type { BackupSource, RestoreOptions } from '../maintenance/backup/backup-source.ts';
import type { Examination } from '../maintenance/doctor/doctor.ts';
import type { ErasureService } from '../maintenance/erase/eraser.ts';
import type { MaintenanceContext } from '../maintenance/maintenance-context.ts';
import type { Place } from '../maintenance/storage/storage-target.ts';
import type { TableAdmin } from '../maintenance/table-admin.ts';
import type { Verification } from '../maintenance/verify/verify.ts';
import type { Outcome } from '../operations/operation.ts';
import type { PersonMail } from '../operations/people/mails.ts';
import type { RetentionPolicy } from '../operations/privacy-sheet.ts';
import type { QuestionContext } from '../query/question-context.ts';
import type { Role } from '../vocabulary/roles.ts';
import type { Arguments } from './runner/arguments.ts';
import type { Option } from './runner/options.ts';

export type { Outcome };

/** What the operator says is no mistake. */
export interface Accepted {
  /** This machine's clock is right, whatever the statistics store knows. */
  readonly clock?: boolean;
  readonly newSecret?: boolean;
  readonly newStatistics?: boolean;
}

/** Where from and where to, as a person reads it. */
export interface MovedCatalog extends CatalogMove {
  readonly from: string;
  readonly to: string;
}

/** What the composition root hands to the command line. */
export interface Parts {
  readonly version: string;
  readonly clock: Clock;
  /** The folder of the media that this service serves, and its URL, which ends without a slash. */
  readonly content: { readonly contentFolder: string; readonly publicUrl: string };
  /** KEY_SIGN_IN. */
  readonly keySignIn: 'on' | 'off' | undefined;
  /** What the configuration says of how long things are kept. */
  readonly keeping: RetentionPolicy;
  /** Fails if there is none yet, and creates nothing. */
  openCatalog(): Promise<Catalog>;
  /** Creates it if there is none. */
  makeCatalog(): Promise<Catalog>;
  /** Runs the service until it is asked to stop. */
  serve(role: Role, accepts: Accepted): Promise<void>;
  openImporter(): Promise<Importer>;
  openSuspects(): Promise<QuarantineReview>;
  openQuestions(): Promise<QuestionContext>;
  openMaintenance(): Promise<MaintenanceContext>;
  openErasureService(): Promise<ErasureService>;
  openTables(): Promise<TableAdmin>;
  /** To the PostgreSQL database of a URL; undefined: to SQLite in the data folder. */
  moveCatalog(to: string | undefined, options: CatalogMoveOptions): Promise<MovedCatalog>;
  openBackupSource(): Promise<BackupSource>;
  /** What `doctor` looks at. */
  examinations(): Promise<readonly Examination[]>;
  /** A folder by its path, or `s3://bucket/prefix`. */
  openPlace(location: string): Place;
  restore(backup: Backup, options: RestoreOptions): Promise<Verification>;
  /** See createSigningSealer. */
  signingSealer(): Promise<Sealer>;
  /** What is needed to make alerts and reports. */
  ruleContext(): Promise<RuleContext>;
  /** Resolves to why the mail was not sent; the function is undefined where none is. */
  mailer(): Promise<((mail: PersonMail) => Promise<string | undefined>) | undefined>;
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
