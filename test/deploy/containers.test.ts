/** deploy/ for containers: what its files name exists, and they agree with each other. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { validate as validateDeployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment';
import { validate as validateService } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import openapi from '../../docs/openapi.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import { configSections, readConfig } from '../../src/config.ts';

const folder = join(import.meta.dirname, '../../deploy');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

const settings = Object.values(configSections).flatMap((section) => Object.keys(section));
const unknownOf = (names: readonly string[], known: readonly string[]) =>
  names.filter((name) => !known.includes(name));

const dockerfile = read('Dockerfile');
/** The last stage: what runs. */
const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ') + 1);
const instruction = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(image)?.[1] ?? '';
const imageSettings = Object.fromEntries(
  instruction('ENV')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

const instructionsUsed = [
  ...['FROM', 'WORKDIR', 'COPY', 'RUN', 'USER', 'ENV', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'],
];

test('every line of the Dockerfile is an instruction, the first a FROM', () => {
  const joined = dockerfile.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n/g, '');
  const instructions = joined
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ')[0] ?? '');
  expect(instructions[0]).toBe('FROM');
  expect(unknownOf(instructions, instructionsUsed)).toEqual([]);
});

test('the image runs the packed program as nobody special, with settings that exist', () => {
  expect(instruction('USER')).toBe('1000');
  const [node, program, ...words] = JSON.parse(instruction('CMD')) as string[];
  expect([node, ...words]).toEqual(['node', 'serve']);
  expect(program).toBe(`node_modules/playmeter/${packageJson.bin.playmeter}`);
  expect(unknownOf(Object.keys(imageSettings), settings)).toEqual([]);
  const { DATA_DIR, PORT } = readConfig(imageSettings);
  expect(DATA_DIR.startsWith(`${instruction('VOLUME')}/`)).toBe(true);
  expect(image).toContain(`install -d -o node ${instruction('VOLUME')}\n`);
  expect(instruction('EXPOSE')).toBe(String(PORT));
  expect(pathAsked(image, PORT)).toBe('/healthz');
});

test('the image is built of what a clone has', () => {
  const copied = [...dockerfile.matchAll(/^COPY (\S+) /gm)].map(([, from]) => from);
  expect(copied).toEqual(['.', '--from=build']);
  expect(packageJson.scripts.prepack).toContain('scripts/prepack.ts');
  expect(read('Dockerfile.dockerignore')).toMatch(/^\*\*\/node_modules$/m);
});

function pathAsked(text: string, port: number): string | undefined {
  return new RegExp(`http://127\\.0\\.0\\.1:${port}(/[a-z]+)'`).exec(text)?.[1];
}

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[];
  readonly volumes?: readonly string[];
  readonly [field: string]: unknown;
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, object>>;
};
const services = Object.entries(compose.services);
const nodes = services.filter(([, { image }]) => image === 'playmeter');
const hostsIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => name);

/** Rules of taste; and one against ports on every interface, which a balancer is there for. */
const unused = [
  ...['no-quotes-in-volumes', 'no-unbound-port-interfaces', 'require-quotes-in-ports'],
  ...['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order'],
];

test('compose.yaml fits the schema of Compose, and names volumes and files that exist', () => {
  const rules = Object.fromEntries(unused.map((name) => [name, 0 as const]));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  // Its own types name files as this compiler cannot find them.
  const found: readonly { readonly messages: readonly object[] }[] = linter.lintFiles(
    [join(folder, 'compose.yaml')],
    false,
  );
  expect(found.map(({ messages }) => messages)).toEqual([[]]);
  for (const [name, service] of services) {
    expect(unknownOf(service.depends_on ?? [], Object.keys(compose.services)), name).toEqual([]);
    for (const volume of service.volumes ?? []) {
      const [source = '', target] = volume.split(':');
      expect(target, volume).toMatch(/^\//);
      const isThere = source.startsWith('.')
        ? existsSync(join(folder, source))
        : source in compose.volumes;
      expect(isThere, volume).toBe(true);
    }
  }
});

test('the nodes of compose.yaml have settings that exist, and a root that is read-only', () => {
  expect(nodes.map(([name]) => name)).toEqual(['node-1', 'node-2', 'node-3']);
  for (const [, { build, environment = {}, ...node }] of nodes) {
    expect(existsSync(join(folder, build?.context ?? '', build?.dockerfile ?? ''))).toBe(true);
    expect(unknownOf(Object.keys(environment), settings)).toEqual([]);
    const config = readConfig({ ...filled(environment), ...imageSettings });
    const servers = config.CLICKHOUSE_URL?.split(',').map((url) => new URL(url).hostname) ?? [];
    expect(unknownOf(servers, Object.keys(compose.services))).toEqual([]);
    expect(new URL(config.DATABASE_URL ?? '').hostname in compose.services).toBe(true);
    expect(read('clickhouse/cluster.xml')).toContain(`<${config.CLICKHOUSE_CLUSTER}>`);
    expect(node).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  }
});

/** As Compose puts in what it takes from the environment. */
function filled(environment: Readonly<Record<string, string>>): Record<string, string> {
  const put = (value: string) =>
    value.replace(/\$\{\w+(?::([?-])([^}]*))?\}/g, (_, kind, text) =>
      kind === '-' ? text : 'x'.repeat(32),
    );
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, put(value)]));
}

test('balancer, servers and Keepers know each other by the names in compose.yaml', () => {
  const { PORT } = readConfig(imageSettings);
  const balanced = hostsIn(read('nginx.conf'), new RegExp(`server (\\S+):${PORT} `, 'g'));
  expect(balanced).toEqual(nodes.map(([name]) => name));
  const servers = hostsIn(read('clickhouse/cluster.xml'), /<host>(ch-[^<]+)</g);
  const keepers = hostsIn(read('clickhouse/cluster.xml'), /<host>(keeper-[^<]+)</g);
  const named = (prefix: string) =>
    services.map(([name]) => name).filter((name) => name.startsWith(prefix));
  expect(servers).toEqual(named('ch-'));
  expect(keepers).toEqual(named('keeper-'));
  expect(hostsIn(read('clickhouse/keeper.xml'), /<hostname>([^<]+)</g)).toEqual(keepers);
});

const [deployment, service] = parseAllDocuments(read('kubernetes.yaml')).map((one) => one.toJS());

type Validate = ((value: unknown) => boolean) & { readonly errors?: unknown };

/**
 * What a schema of the Kubernetes API says, and the fields that it never looks at: the API drops
 * those in silence.
 */
function wrongIn(validate: Validate, value: unknown): unknown[] {
  const unread = new Set<string>();
  const watched = (one: unknown, path: string): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map((item, index) => watched(item, `${path}/${index}`));
    const fields = Object.entries(one).map(([name, inner]) => {
      unread.add(`${path}/${name}`);
      return [name, watched(inner, `${path}/${name}`)] as const;
    });
    return new Proxy(Object.fromEntries(fields), {
      get(fields, name) {
        unread.delete(`${path}/${String(name)}`);
        return Reflect.get(fields, name);
      },
    });
  };
  return [...(validate(watched(value, '')) ? [] : [validate.errors]), ...unread];
}

test('Deployment and Service are as the API of Kubernetes wants them', () => {
  expect(wrongIn(validateDeployment, deployment)).toEqual([]);
  expect(wrongIn(validateService, service)).toEqual([]);
  const { spec } = structuredClone(service);
  expect(wrongIn(validateService, { ...service, spec: { ...spec, prots: [] } })).toEqual([
    '/spec/prots',
  ]);
  expect(wrongIn(validateService, { ...service, spec: { ports: [{ port: '80' }] } })).not.toEqual(
    [],
  );
});

test('the Deployment and its Service fit each other and the image', () => {
  expect([deployment.apiVersion, deployment.kind]).toEqual(['apps/v1', 'Deployment']);
  expect([service.apiVersion, service.kind]).toEqual(['v1', 'Service']);
  const { template, selector } = deployment.spec;
  expect(template.metadata.labels).toEqual(selector.matchLabels);
  expect(template.metadata.labels).toEqual(service.spec.selector);
  const [container] = template.spec.containers;
  const { PORT } = readConfig(imageSettings);
  expect(container.ports).toEqual([{ containerPort: PORT }]);
  expect(service.spec.ports).toEqual([{ port: 80, targetPort: PORT }]);
  const [{ name, mountPath }] = container.volumeMounts;
  expect(mountPath).toBe(instruction('VOLUME'));
  expect(template.spec.volumes).toEqual([{ name, emptyDir: {} }]);
});

test('Pods have settings and addresses that exist, and no privileges', () => {
  const { securityContext, containers } = deployment.spec.template.spec;
  const [container] = containers;
  const given: { name: string; value: string }[] = container.env;
  const environment = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  expect(unknownOf(Object.keys(environment), settings)).toEqual([]);
  expect(readConfig(environment).CLICKHOUSE_CLUSTER).toBe('playmeter');
  for (const probe of [container.readinessProbe, container.livenessProbe]) {
    expect(Object.keys(openapi.paths)).toContain(probe.httpGet.path);
    expect(probe.httpGet.port).toBe(readConfig(imageSettings).PORT);
  }
  expect(securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: Number(instruction('USER')),
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});
