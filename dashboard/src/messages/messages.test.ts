/** Every language says everything, with the same values in it, and nothing is said nowhere. */
import { join } from 'node:path';
import { checkCatalogues } from '../../../test/support/check-catalogues.ts';
import { en } from './en.ts';
import { ko } from './ko.ts';

checkCatalogues({ en, ko }, [join(import.meta.dirname, '..')]);
