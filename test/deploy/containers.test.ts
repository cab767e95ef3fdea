/** deploy/ for containers: what its files name exists, and they agree with each other. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { validate as validateDeployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment';
import { validate as validateStatefulSet } from 'kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet';
import { validate as validateConfigMap } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap';
import { validate as validateService } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service';
import { validate as validateIngress } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress';
import { validate as validateNetworkPolicy } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy';
import { validate as validateBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import openapi from '../../docs/openapi.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import { configSections, readConfig } from '../../src/config/config.ts';

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

test('every stage is for the processor that the bundled engine is there for', () => {
  const stages = [...dockerfile.matchAll(/^FROM (\S+) /gm)].map(([, option]) => option);
  expect(stages).toEqual(['--platform=linux/amd64', '--platform=linux/amd64']);
  expect(Object.keys(packageJson.optionalDependencies)).toEqual(['@chdb/lib-linux-x64-gnu']);
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

test('the nodes of compose.yaml name the same servers, each another one first', () => {
  const lists = nodes.map(([, { environment }]) => environment?.CLICKHOUSE_URL?.split(',') ?? []);
  const firsts = new Set(lists.map(([first]) => first));
  expect(firsts.size).toBe(nodes.length);
  expect(new Set(lists.map((list) => list.toSorted().join())).size).toBe(1);
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

test('servers and Keepers of compose.yaml have the numbers of their places in the files', () => {
  const numbersOf = (host: string, ...settings: string[]) =>
    settings.map((setting) => Number(compose.services[host]?.environment?.[setting]));
  const shards = read('clickhouse/cluster.xml').match(/<shard>.*?<\/shard>/gs) ?? [];
  const hosts = shards.map((shard) => hostsIn(shard, /<host>([^<]+)</g));
  expect(hosts.map(({ length }) => length)).toEqual([2, 2]);
  for (const [shard, replicas] of hosts.entries()) {
    for (const [replica, host = ''] of replicas.entries()) {
      const numbers = numbersOf(host, 'SHARD', 'REPLICA');
      expect(numbers, host).toEqual([shard + 1, replica + 1]);
    }
  }
  const keepers = read('clickhouse/keeper.xml').matchAll(/<id>(\d+)<\/id><hostname>([^<]+)</g);
  const ids = [...keepers].map(([, id, host = '']) => [
    Number(id),
    ...numbersOf(host, 'SERVER_ID'),
  ]);
  expect(ids).toEqual([1, 2, 3].map((id) => [id, id]));
});

type Validate = ((value: unknown) => boolean) & { readonly errors?: unknown };

const schemas: Readonly<Record<string, Validate>> = {
  'apps/v1 Deployment': validateDeployment,
  'apps/v1 StatefulSet': validateStatefulSet,
  'v1 ConfigMap': validateConfigMap,
  'v1 Service': validateService,
  'networking.k8s.io/v1 Ingress': validateIngress,
  'networking.k8s.io/v1 NetworkPolicy': validateNetworkPolicy,
  'policy/v1 PodDisruptionBudget': validateBudget,
};

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type KubernetesObject = Readonly<Record<string, any>>;

const objects: readonly KubernetesObject[] = parseAllDocuments(read('kubernetes.yaml')).map((one) =>
  one.toJS(),
);
const objectsOf = (kind: string) => objects.filter((one) => one.kind === kind);

function objectAt(kind: string, name: string): KubernetesObject {
  const [found] = objectsOf(kind).filter(({ metadata }) => metadata.name === name);
  return found ?? expect.fail(`there is no ${kind} ${name}`);
}

const deployment = objectAt('Deployment', 'playmeter');
const service = objectAt('Service', 'playmeter');
const workloads = [deployment, ...objectsOf('StatefulSet')];
const nameOf = ({ metadata }: KubernetesObject): string => metadata.name;
const labelsOf = ({ spec }: KubernetesObject) => spec.template.metadata.labels;
const containerOf = ({ spec }: KubernetesObject) => spec.template.spec.containers[0];
const portsOf = (workload: KubernetesObject): number[] =>
  containerOf(workload).ports.map((one: { containerPort: number }) => one.containerPort);

/** Whose Pods have all of these labels. */
function selectedBy(labels: Readonly<Record<string, string>>): readonly KubernetesObject[] {
  const wanted = Object.entries(labels);
  return workloads.filter((one) => wanted.every(([name, value]) => labelsOf(one)[name] === value));
}

/** As its Pods are found by name. */
function podsOf({ metadata, spec }: KubernetesObject): string[] {
  const from: number = spec.ordinals?.start ?? 0;
  const names = Array.from({ length: spec.replicas }, (_, index) => from + index);
  return names.map((number) => `${metadata.name}-${number}.${spec.serviceName}`);
}

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

test('every object is as the API of Kubernetes wants it', () => {
  for (const one of objects) {
    const { apiVersion, kind } = one;
    const validate = schemas[`${apiVersion} ${kind}`] ?? expect.fail(`${apiVersion} ${kind}`);
    expect(wrongIn(validate, one), `${kind} ${nameOf(one)}`).toEqual([]);
  }
  const { spec } = structuredClone(service);
  expect(wrongIn(validateService, { ...service, spec: { ...spec, prots: [] } })).toEqual([
    '/spec/prots',
  ]);
  expect(wrongIn(validateService, { ...service, spec: { ports: [{ port: '80' }] } })).not.toEqual(
    [],
  );
});

test('kubernetes.yaml has what compose.yaml has, by the same images', () => {
  expect(workloads.map((one) => `${nameOf(one)} ${one.spec.replicas}`)).toEqual([
    ...['playmeter 3', 'ch-1 2', 'ch-2 2', 'keeper 3', 'postgres 1'],
  ]);
  const images = new Set(services.map(([, { image }]) => image));
  // An Ingress is in its place.
  images.delete('nginx:1.28');
  expect(new Set(workloads.map((one) => containerOf(one).image))).toEqual(images);
});

test('the Deployment, its Service and the Ingress fit each other and the image', () => {
  const { template } = deployment.spec;
  const container = containerOf(deployment);
  const { PORT } = readConfig(imageSettings);
  expect(container.ports).toEqual([{ containerPort: PORT }]);
  expect(service.spec.ports).toEqual([{ port: 80, targetPort: PORT }]);
  const [{ name, mountPath }] = container.volumeMounts;
  expect(mountPath).toBe(instruction('VOLUME'));
  expect(template.spec.volumes).toEqual([{ name, emptyDir: {} }]);
  const { rules, tls } = objectAt('Ingress', 'playmeter').spec;
  const { PUBLIC_URL } = readConfig(environmentOf(deployment));
  expect(rules).toEqual([
    {
      host: new URL(PUBLIC_URL ?? '').hostname,
      http: {
        paths: [
          {
            path: '/',
            pathType: 'Prefix',
            backend: { service: { name: nameOf(service), port: { number: 80 } } },
          },
        ],
      },
    },
  ]);
  expect(tls[0].hosts).toEqual([rules[0].host]);
});

interface Given {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

/** As Kubernetes makes it: what is from elsewhere is a text of 32 characters. */
function environmentOf(workload: KubernetesObject): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { name, value } of containerOf(workload).env as Given[]) {
    environment[name] = (value ?? 'x'.repeat(32)).replace(
      /\$\((\w+)\)/g,
      // Only what stands before it is put in.
      (_, other: string) => environment[other] ?? expect.fail(`${other} is not set yet`),
    );
  }
  return environment;
}

test('the nodes have settings and addresses that exist', () => {
  const { POSTGRES_PASSWORD: _, ...environment } = environmentOf(deployment);
  expect(unknownOf(Object.keys(environment), settings)).toEqual([]);
  const config = readConfig({ ...environment, ...imageSettings });
  const servers = config.CLICKHOUSE_URL?.split(',').map((url) => new URL(url)) ?? [];
  const shards = selectedBy({ app: 'clickhouse' });
  expect(servers.map(({ hostname }) => hostname).sort()).toEqual(shards.flatMap(podsOf));
  for (const { port } of servers) expect(portsOf(shards[0] ?? {})).toContain(Number(port));
  const { hostname, username, pathname } = new URL(config.DATABASE_URL ?? '');
  expect(nameOf(objectAt('Service', hostname))).toBe('postgres');
  const { POSTGRES_USER } = environmentOf(objectAt('StatefulSet', 'postgres'));
  // The image makes a database of the user's name.
  expect([username, pathname]).toEqual([POSTGRES_USER, `/${POSTGRES_USER}`]);
  expect(environmentOf(shards[0] ?? {}).CLICKHOUSE_USER).toBe(config.CLICKHOUSE_USER);
  expect(read('clickhouse/cluster.xml')).toContain(`<${config.CLICKHOUSE_CLUSTER}>`);
});

test('passwords are taken from the Secret that README.md makes, and from nowhere else', () => {
  const given = workloads.flatMap((one) => containerOf(one).env as Given[]);
  const references = given.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
  const [, name = '', words = ''] =
    /kubectl create secret generic (\w+)(.*?)\nkubectl/s.exec(read('README.md')) ?? [];
  const made = [...words.matchAll(/--from-literal=(\w+)=/g)].map(([, key]) => key);
  expect(new Set(references.map(({ key }) => key))).toEqual(new Set(made));
  expect(new Set(references.map((one) => one.name))).toEqual(new Set([name]));
  const open = given.filter(({ name, value }) => /SECRET|PASSWORD/.test(name) && value);
  expect(open).toEqual([]);
});

test('servers and Keepers know each other by the names of their Pods', () => {
  const { data } = objectAt('ConfigMap', 'clickhouse');
  const [keepers] = selectedBy({ app: 'keeper' });
  const pods = [...selectedBy({ app: 'clickhouse' }), keepers ?? {}].flatMap(podsOf);
  const byCompose = new Map(pods.map((pod) => [pod.split('.')[0], pod]));
  for (const file of ['cluster.xml', 'keeper.xml']) {
    const named = read(`clickhouse/${file}`)
      .replace(/^<!--.*\n/, '')
      .replaceAll(/(?<=<(?:host|hostname)>)[^<]+/g, (host) => byCompose.get(host) ?? host);
    expect(data[file]).toBe(named);
    for (const pod of file === 'keeper.xml' ? podsOf(keepers ?? {}) : pods) {
      expect(named).toContain(`>${pod}<`);
    }
  }
  // The numbers that the files take from the environment.
  for (const [shard, set] of selectedBy({ app: 'clickhouse' }).entries()) {
    expect(environmentOf(set).SHARD).toBe(String(shard + 1));
    expect(nameOf(set)).toBe(`ch-${shard + 1}`);
  }
  const ordinal = { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } };
  const numbers = workloads.flatMap((one) => containerOf(one).env as Given[]);
  for (const { name, valueFrom } of numbers) {
    if (name === 'REPLICA' || name === 'SERVER_ID') expect(valueFrom).toEqual(ordinal);
  }
  expect(hostsIn(data['keeper.xml'], /<id>(\d+)</g)).toEqual(['1', '2', '3']);
  expect(keepers?.spec.ordinals).toEqual({ start: 1 });
});

test('Services, budgets and the policy find Pods, and ports that these have', () => {
  for (const one of workloads) expect(labelsOf(one)).toEqual(one.spec.selector.matchLabels);
  for (const { metadata, spec } of objectsOf('Service')) {
    const found = selectedBy(spec.selector);
    expect(found.length, metadata.name).toBeGreaterThan(0);
    const ports = spec.ports.map((one: { port: number; targetPort?: number }) => {
      return one.targetPort ?? one.port;
    });
    for (const one of found) expect(ports, metadata.name).toEqual(portsOf(one));
  }
  for (const set of objectsOf('StatefulSet')) {
    const { clusterIP, selector } = objectAt('Service', set.spec.serviceName).spec;
    expect(clusterIP).toBe('None');
    expect(selectedBy(selector)).toContain(set);
  }
  const budgets = objectsOf('PodDisruptionBudget').map(({ spec }) => {
    const found = selectedBy(spec.selector.matchLabels);
    const pods = found.reduce((sum, one) => sum + one.spec.replicas, 0);
    return { found, away: spec.maxUnavailable ?? pods - spec.minAvailable };
  });
  const several = workloads.filter(({ spec }) => spec.replicas > 1);
  expect(budgets.flatMap(({ found }) => found)).toEqual(several);
  expect(budgets.map(({ away }) => away)).toEqual(budgets.map(() => 1));
  const { podSelector } = objectAt('NetworkPolicy', 'stores').spec;
  const [{ values }] = podSelector.matchExpressions;
  const apps = objectsOf('StatefulSet').map((one) => labelsOf(one).app);
  expect(new Set(values)).toEqual(new Set(apps));
});

test('volumes and files that are mounted exist, where compose.yaml has them too', () => {
  const inCompose = services.flatMap(([, { volumes = [] }]) =>
    volumes.map((volume) => volume.split(':')[1]),
  );
  for (const set of objectsOf('StatefulSet')) {
    const { volumes = [] } = set.spec.template.spec;
    const claims: KubernetesObject[] = set.spec.volumeClaimTemplates;
    for (const { name, mountPath, subPath } of containerOf(set).volumeMounts) {
      expect(inCompose).toContain(mountPath);
      const files = volumes.find((one: { name: string }) => one.name === name)?.configMap.name;
      if (files) expect(Object.keys(objectAt('ConfigMap', files).data)).toContain(subPath);
      else expect(claims.map(nameOf)).toContain(name);
    }
  }
});

test('each Pod asks for what it needs, is looked at, and has no privileges', () => {
  for (const one of workloads) {
    const { securityContext, ...pod } = one.spec.template.spec;
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(pod.containers).toHaveLength(1);
    const { resources, ...container } = containerOf(one);
    expect(resources).toEqual({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
    for (const kind of ['readinessProbe', 'livenessProbe']) {
      const { httpGet, tcpSocket, exec } = container[kind];
      const port = (httpGet ?? tcpSocket)?.port;
      if (exec) expect(exec.command).toContain('playmeter');
      else expect(portsOf(one), nameOf(one)).toContain(port);
    }
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext.allowPrivilegeEscalation).toBe(false);
  }
  const { readinessProbe, livenessProbe, securityContext } = containerOf(deployment);
  for (const { httpGet } of [readinessProbe, livenessProbe]) {
    expect(Object.keys(openapi.paths)).toContain(httpGet.path);
  }
  expect(deployment.spec.template.spec.securityContext.runAsUser).toBe(Number(instruction('USER')));
  expect(securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});
