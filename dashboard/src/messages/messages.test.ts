/** Every language says everything, with the same values in it, and nothing is said nowhere. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { suspectReasons } from '../../../src/vocabulary/suspects.ts';
import { refusalReasons } from '../../../src/wire/beacons/beacon.ts';
import { limitReasons } from '../../../src/wire/beacons/ledger.ts';
import { checkCatalogues } from '../../../test/support/check-catalogues.ts';
import { en } from './en.ts';
import { ko } from './ko.ts';

checkCatalogues({ en, ko }, [join(import.meta.dirname, '..')]);

test('every reason that the ledger may name is explained', () => {
  const named = { refused: refusalReasons, apart: suspectReasons, limited: limitReasons };
  const names = Object.entries(named).flatMap(([kind, reasons]) =>
    Object.keys(reasons).map((reason) => `${kind}.${reason}`),
  );
  const unexplained = [...names, 'limited.LABELS', 'limited.UNAVAILABLE', 'erased.ERASED'].filter(
    (name) => !(name in en),
  );
  expect(unexplained).toEqual([]);
});
