/** deploy/grafana/playmeter.json, out of its panels. */
import type { Panel, Row } from './grafana-panel.ts';
import { rows } from './grafana-panels.ts';

const columns = 24;
const panelHeight = 8;
const numberHeight = 4;

export function grafanaDashboard(): string {
  const dashboard = {
    uid: 'playmeter',
    title: 'Playmeter',
    tags: ['playmeter'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [source, ...variables] },
    panels: panelsOf(rows),
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

const source = { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' };
const variables = [
  variable('job', 'Job', 'label_values(playmeter_build_info, job)', false),
  variable('instance', 'Node', 'label_values(playmeter_build_info{job="$job"}, instance)', true),
];

function variable(name: string, label: string, query: string, isMany: boolean) {
  const datasource = { type: 'prometheus', uid: '$source' };
  const many = isMany ? { multi: true, includeAll: true, allValue: '.*' } : {};
  return { name, label, type: 'query', datasource, query, refresh: 2, ...many };
}

function panelsOf(all: readonly Row[]) {
  let id = 0;
  let y = 0;
  return all.flatMap(({ question, panels }) => {
    const height = panels.every(({ isNumber }) => isNumber) ? numberHeight : panelHeight;
    const width = Math.floor(columns / panels.length);
    const head = { id: ++id, type: 'row', title: question, collapsed: false, panels: [] };
    const top = y;
    y += 1 + height;
    return [
      { ...head, gridPos: { x: 0, y: top, w: columns, h: 1 } },
      ...panels.map((panel, place) => ({
        id: ++id,
        gridPos: { x: place * width, y: top + 1, w: width, h: height },
        ...panelOf(panel),
      })),
    ];
  });
}

function panelOf({ title, about, unit, series, isNumber, redFrom }: Panel) {
  const datasource = { type: 'prometheus', uid: '$source' };
  const steps = [
    { color: 'green', value: null },
    ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }]),
  ];
  return {
    type: isNumber ? 'stat' : 'timeseries',
    title,
    ...(about && { description: about }),
    datasource,
    fieldConfig: { defaults: { unit, thresholds: { mode: 'absolute', steps } }, overrides: [] },
    ...(title === 'Version' && { options: { textMode: 'name' } }),
    targets: series.map(({ expr, legend }, place) => ({
      refId: String.fromCharCode(65 + place),
      datasource,
      expr,
      legendFormat: legend,
    })),
  };
}
