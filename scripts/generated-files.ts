import { configSections } from '../src/config/config.ts';
import { describeInterface } from '../src/http/app.ts';
import { clientTypes } from './client-types.ts';
import { configurationPage } from './configuration-page.ts';
import { errorsPage } from './errors-page.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { licencesPage } from './licences-page.ts';
import { referencePages } from './reference-pages.ts';
import { worldShapes } from './world-shapes.ts';

/** What is committed, but derived: text by path. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = await describeInterface();
  return {
    'docs/openapi.json': `${JSON.stringify(document, undefined, 2)}\n`,
    'docs/errors.md': errorsPage(document),
    ...referencePages(document),
    'docs/licences.md': licencesPage(),
    'docs/configuration.md': configurationPage(configSections),
    'deploy/grafana/playmeter.json': grafanaDashboard(),
    'dashboard/src/map/world-shapes.json': worldShapes(),
    'client/src/interface.ts': await clientTypes(document),
  };
}
