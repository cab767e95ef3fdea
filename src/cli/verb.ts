import type { ArgDef } from 'citty';
import type { Catalog } from '../catalog/catalog.ts';
import type { Importer } from '../collect/importer.ts';
import type { Arguments } from './arguments.ts';

/** What the terminal edge is handed by the composition root. */
export interface Parts {
  readonly version: string;
  /** Where this service keeps the media it serves, and under which address it is reached. */
  readonly content: { readonly contentFolder: string; readonly publicUrl: string };
  openCatalog(): Promise<Catalog>;
  /** Runs the service until it is told to stop. */
  serve(): Promise<void>;
  openImporter(): Promise<Importer>;
  /** The OpenAPI document. */
  describeInterface(): Promise<object>;
  /** One line to standard output: what was asked for. */
  print(line: string): void;
  /** One line to standard error: everything else. */
  complain(line: string): void;
}

/** One thing the command line can do. */
export interface Verb {
  /** One or two words: `version`, `account create`. */
  readonly words: string;
  readonly summary: string;
  readonly options: Record<string, ArgDef>;
  run(given: Arguments, parts: Parts): Promise<Outcome | undefined>;
}

/** What a verb found or made: as JSON where `--json` asks for it, else in lines for a person. */
export interface Outcome {
  readonly json: object;
  readonly lines: readonly string[];
}
