import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownVariables, readHomeConfig } from '@hearth/config';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { dashboards } from './dashboards.ts';
import { chartFiles } from './files.ts';
import { seriesIn, seriesOf } from './metrics.ts';
import {
  chartFolder,
  ensureHelm,
  helm,
  matches,
  ofKind,
  one,
  podsOf,
  type RenderOptions,
  type Resource,
  render,
  renderText,
  tryRender,
  tryUpgrade,
} from './render-chart.ts';
import { rules } from './rules.ts';
import { serviceNames } from './values.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cases = ['split', 'single', 'production', 'keda'];
const rendered: Record<string, Resource[]> = {};
const of = (name: string) => rendered[name] as Resource[];
// Go builds helm of its sources, where it has not yet.
beforeAll(async () => {
  await ensureHelm();
  for (const file of cases) rendered[file] = render({ file });
}, 900_000);

describe('the chart as a whole', () => {
  test('its files are those that the declarations make: npm run chart', () => {
    for (const [name, text] of Object.entries(chartFiles()))
      expect({ name, text: readFileSync(join(chartFolder, name), 'utf8') }).toEqual({ name, text });
  });

  test('knows every service of the home', () => {
    const folders = readdirSync(join(root, 'services')).filter((name) => name !== 'home');
    expect([...serviceNames].sort()).toEqual(folders.sort());
    const components = ofKind(of('split'), 'Deployment').map(({ metadata }) => metadata.name);
    expect(components.sort()).toEqual(folders.map((name) => `home-a-hearth-${name}`).sort());
  });

  test.each(cases)('helm lint has nothing against ci/%s.yaml', (file) => {
    const said = helm(['lint', '--strict', chartFolder, '--values', join(chartFolder, 'ci', `${file}.yaml`)]);
    expect(said).toMatchObject({ code: 0 });
  });

  // HEARTH_GOLDEN=write writes them anew; look at the difference before a commit.
  test.each(['split', 'single', 'production'])('renders ci/%s.yaml as its golden file has it', (file) => {
    const text = renderText({ file });
    const path = join(root, 'deploy', 'helm', 'golden', `${file}.yaml`);
    if (process.env.HEARTH_GOLDEN === 'write') writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, 'utf8'));
  });

  test('renders the same again', () => {
    expect(renderText({ file: 'production' })).toBe(renderText({ file: 'production' }));
  });
});

describe('values', () => {
  test.each<[string, object]>([
    ['a value that there is not', { homes: {} }],
    ['a mistyped one', { home: { nmae: 'a.example' } }],
    ['a mistyped one of a service', { services: { gateway: { replica: 2 } } }],
    ['a service that there is not', { services: { gatewy: {} } }],
    ['a mode that there is not', { mode: 'cluster' }],
    ['a name that is none', { home: { name: 'Home' } }],
    ['a text for a number', { services: { gateway: { replicas: 'two' } } }],
    ['a digest that is none', { image: { digest: 'latest' } }],
    ['a grace below what a stop takes', { defaults: { terminationGracePeriodSeconds: 10 } }],
  ])('refuses %s', (_words, values) => {
    const { code, said } = tryRender({ values });
    expect(code).not.toBe(0);
    expect(said).toContain("values don't meet the specifications of the schema");
  });

  test.each<[string, object, string]>([
    ['no Postgres', { embedded: { enabled: false } }, 'mode split needs a Postgres'],
    [
      'no NATS',
      { embedded: { enabled: false }, database: { existingSecret: { name: 'a' } } },
      'mode split needs a NATS',
    ],
    ['a hook before its database', { migrations: { mode: 'hook' } }, 'migrations.mode=hook runs before'],
    [
      'a route to nowhere',
      { gatewayApi: { enabled: true } },
      'gatewayApi.enabled needs gatewayApi.parentRefs',
    ],
    [
      'a monitor of nothing',
      { metrics: { podMonitor: { enabled: true } } },
      'metrics.podMonitor.enabled needs',
    ],
  ])('refuses %s, and says what is missing', (_words, values, words) => {
    expect(tryRender({ values }).said).toContain(words);
  });

  test('each has a description', () => {
    const { properties } = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8'));
    const check = (path: string, schema: Resource) => {
      expect({ path, described: schema.description?.length > 5 }).toEqual({ path, described: true });
      if (schema.properties) {
        expect({ path, strict: schema.additionalProperties }).toEqual({ path, strict: false });
        for (const [name, below] of Object.entries(schema.properties)) check(`${path}.${name}`, below);
      }
    };
    for (const [name, schema] of Object.entries(properties)) check(name, schema);
  });
});

describe('every resource', () => {
  const { roots, definitions } = JSON.parse(
    readFileSync(join(root, 'deploy', 'helm', 'schemas.json'), 'utf8'),
  );
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'kubernetes', definitions });
  const validators = new Map<string, ReturnType<Ajv['compile']>>();
  const validatorOf = (kind: string) => {
    if (roots[kind] === undefined) throw new Error(`schemas.json has no ${kind}`);
    const schema = JSON.parse(
      JSON.stringify(roots[kind]).replaceAll('"#/definitions/', '"kubernetes#/definitions/'),
    );
    const validator = validators.get(kind) ?? ajv.compile(schema);
    validators.set(kind, validator);
    return validator;
  };

  test.each(cases)(
    'of ci/%s.yaml is what Kubernetes declares, without a field that it does not know',
    (file) => {
      for (const resource of of(file)) {
        const validate = validatorOf(`${resource.apiVersion}/${resource.kind}`);
        validate(resource);
        expect({ name: resource.metadata.name, errors: validate.errors }).toEqual({
          name: resource.metadata.name,
          errors: null,
        });
      }
    },
  );

  test('is refused where it has a field too many', () => {
    const deployment = structuredClone(ofKind(of('split'), 'Deployment')[0]);
    deployment.spec.template.spec.containers[0].comand = ['node'];
    expect(validatorOf('apps/v1/Deployment')(deployment)).toBe(false);
  });

  test.each(cases)('of ci/%s.yaml is in the namespace of the release, and none is of the cluster', (file) => {
    const ofCluster =
      /^(Cluster|Namespace|CustomResource|PersistentVolume$|StorageClass|PriorityClass|.*Webhook)/;
    for (const { kind, metadata } of of(file)) {
      expect(kind).not.toMatch(ofCluster);
      expect(metadata.namespace).toBe('homes');
      expect(metadata.labels['app.kubernetes.io/instance']).toBe('home-a');
    }
  });

  test('is there once', () => {
    for (const file of cases) {
      const names = of(file).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});

describe('what is named', () => {
  test.each(cases)(
    'in ci/%s.yaml is there: pods of Services, accounts, claims, ports and targets',
    (file) => {
      const resources = of(file);
      const pods = podsOf(resources);
      const names = (kind: string) => ofKind(resources, kind).map(({ metadata }) => metadata.name);
      for (const { metadata, spec } of ofKind(resources, 'Service')) {
        const chosen = pods.filter(({ labels }) => matches(spec.selector, labels));
        expect({ service: metadata.name, pods: chosen.length }).toEqual({ service: metadata.name, pods: 1 });
        const ports = chosen.flatMap((pod) => pod.spec.containers[0].ports.map(({ name }: Resource) => name));
        for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
      }
      for (const { metadata, spec } of resources.filter(({ kind }) =>
        /^(Deployment|StatefulSet)$/.test(kind),
      )) {
        expect(matches(spec.selector.matchLabels, spec.template.metadata.labels)).toBe(true);
        if (spec.serviceName !== undefined) expect(names('Service')).toContain(spec.serviceName);
        // Volumes outlive their pods and the release: Kubernetes keeps claims of a set unless it is told otherwise.
        expect({ name: metadata.name, of: spec.persistentVolumeClaimRetentionPolicy }).toEqual({
          name: metadata.name,
          of: undefined,
        });
      }
      const accounts = new Set(names('ServiceAccount'));
      for (const { name, spec } of pods) {
        if (spec.serviceAccountName !== undefined)
          expect({ name, account: accounts.has(spec.serviceAccountName) }).toEqual({ name, account: true });
        const { env = [], image, volumeMounts = [] } = spec.containers[0];
        const variables = env.map((variable: Resource) => variable.name);
        expect(variables.filter((key: string, index: number) => variables.indexOf(key) !== index)).toEqual(
          [],
        );
        expect(image).toMatch(/(?::(?!latest)[^:@/]+|@sha256:[0-9a-f]{64})$/);
        const set = ofKind(resources, 'StatefulSet').find(({ metadata }) => metadata.name === name);
        const volumes = [...(spec.volumes ?? []), ...(set?.spec.volumeClaimTemplates ?? [])].map(
          (volume: Resource) => volume.name ?? volume.metadata.name,
        );
        for (const mount of volumeMounts) expect(volumes).toContain(mount.name);
      }
      for (const kind of ['HorizontalPodAutoscaler', 'ScaledObject'])
        for (const { spec } of ofKind(resources, kind)) {
          expect(spec.scaleTargetRef.kind ?? 'Deployment').toBe('Deployment');
          expect(names('Deployment')).toContain(spec.scaleTargetRef.name);
        }
      for (const { spec } of ofKind(resources, 'Ingress'))
        for (const { path, backend } of spec.rules[0].http.paths) {
          expect(path).toBe('/');
          expect(names('Service')).toContain(backend.service.name);
        }
    },
  );
});

describe('what helm install says', () => {
  const notesOf = (values: object) => {
    const args = [
      'install',
      'home-a',
      chartFolder,
      '--namespace',
      'homes',
      '--dry-run=client',
      '--values',
      '-',
    ];
    const { said } = helm(args, stringify({ home: { name: 'a.example' }, ...values }));
    return said.slice(said.indexOf('NOTES:')).split(/\s+/).join(' ');
  };

  test('is the next steps: whether it serves, its secrets, what stays, the way in, and what is for trials', () => {
    const said = notesOf({});
    expect(said).toContain('helm test home-a --namespace homes');
    expect(said).toContain('get secret home-a-hearth-secrets -o yaml');
    expect(said).toContain('They stay when the release is uninstalled, as its volumes do');
    expect(said).toContain('recovery.key');
    expect(said).toContain('exec deployment/home-a-hearth-gateway');
    expect(said).toContain('port-forward service/home-a-hearth-gateway 8080:8080');
    expect(said).toContain('Postgres, NATS and Redis that came along are for trials');
    expect(said).toContain('no mail server');
  });

  test('follows what was given', () => {
    const own = notesOf({ mode: 'single', secrets: { existing: 'mine' }, ingress: { enabled: true } });
    expect(own).toContain('exec statefulset/home-a-hearth-home');
    for (const words of ['They stay when', 'port-forward', 'for trials']) expect(own).not.toContain(words);
  });
});

describe('examples of docs/kubernetes.md', () => {
  const document = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
  const blocks = [...document.matchAll(/```yaml\n(.*?)```/gs)].flatMap(([, text = '']) =>
    parseAllDocuments(text).map((each) => each.toJS()),
  );
  const values = blocks.filter(({ kind }) => kind === undefined);
  const certificates = blocks.filter(({ kind }) => kind === 'Certificate');

  test('that are values are taken, and lead to the data that they name and to none that comes along', () => {
    expect(values.length).toBeGreaterThanOrEqual(2);
    for (const given of values) {
      const resources = render({ values: { home: { name: 'a.example' }, ...given } });
      expect(ofKind(resources, 'StatefulSet')).toEqual([]);
      const { env } = one(resources, 'Deployment', 'home-a-hearth-messages').spec.template.spec.containers[0];
      const variable = (key: string) => env.find(({ name }: Resource) => name === key);
      const secret = (of: Resource) => ({ name: of.existingSecret.name, key: of.existingSecret.key });
      expect(variable('DATABASE_URL').valueFrom.secretKeyRef).toEqual(secret(given.database));
      expect(variable('NATS_URL').valueFrom.secretKeyRef).toEqual(secret(given.nats));
      expect(variable('REDIS_URL').value).toBe(given.redis.url);
    }
  });

  test("that call the operator's command line give it the command before the options", () => {
    const [line = ''] = document.match(/^hearth\(\) .*/m) ?? [];
    const stub = 'kubectl() { while [ "$1" != hearth ]; do shift; done; shift; echo "$@"; }';
    const { stdout } = spawnSync('sh', ['-c', `${stub}\n${line}\nhearth key list`], { encoding: 'utf8' });
    expect(stdout).toMatch(/^key list --site http:/);
  });

  test('that are homes on the same data share nothing else', () => {
    const [given] = values;
    const of = (release: string) =>
      render({
        release,
        values: JSON.parse(
          JSON.stringify({ home: { name: 'x.example' }, ...given }).replaceAll('home-a', release),
        ),
      });
    const secrets = (release: string) =>
      JSON.stringify(of(release))
        .match(/"secretKeyRef":\{[^}]*\}/g)
        ?.sort() ?? [];
    const ofA = new Set(secrets('home-a'));
    expect(ofA.size).toBeGreaterThan(4);
    expect(secrets('home-b').filter((reference) => ofA.has(reference))).toEqual([]);
  });

  test('that make certificates make those that the services read, under the names that services are taken for', () => {
    expect(certificates).toHaveLength(1);
    const [{ metadata, spec }] = certificates;
    const resources = render({ file: 'split', values: { tls: { enabled: true } } });
    const read = serviceNames.map((name) => {
      const { volumes } = one(resources, 'Deployment', `home-a-hearth-${name}`).spec.template.spec;
      return volumes.find((volume: Resource) => volume.name === 'tls').secret.secretName;
    });
    const made = serviceNames.map((name) => spec.secretName.replace('identity', name));
    expect(metadata.name).toBe('home-a-identity');
    expect(read).toEqual(made);
    expect(spec.dnsNames).toEqual(['identity']);
    expect(spec.usages).toEqual(['server auth', 'client auth']);
    // The chart reads these files of it.
    for (const file of ['tls.crt', 'tls.key', 'ca.crt']) expect(document).toContain(`\`${file}\``);
  });
});

describe('pods', () => {
  test.each(cases)(
    'of ci/%s.yaml are what Pod Security calls restricted, on a root that is read-only',
    (file) => {
      for (const { name, spec } of podsOf(of(file))) {
        expect({ name, spec }).toMatchObject({
          spec: {
            enableServiceLinks: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          },
        });
        expect(spec.securityContext.runAsUser).toBeGreaterThan(0);
        for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) expect(spec[field]).toBeUndefined();
        const volumes = (spec.volumes ?? []).flatMap((volume: Resource) => Object.keys(volume));
        expect(
          volumes.filter((key: string) => !['name', 'emptyDir', 'persistentVolumeClaim'].includes(key)),
        ).toEqual([]);
        for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
          expect({ name, security: container.securityContext }).toEqual({
            name,
            security: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          });
          expect(container.resources.requests).toEqual({ cpu: expect.anything(), memory: expect.anything() });
          expect(container.resources.limits.memory).toBeDefined();
        }
      }
    },
  );

  test.each(cases)(
    'of ci/%s.yaml that run Node bound its heap so that the rest fits below their limit',
    (file) => {
      const services = podsOf(of(file)).filter(({ labels }) => labels['hearth.part'] === 'service');
      expect(services.length).toBeGreaterThan(0);
      for (const { name, spec } of services) {
        const [{ args, env, resources }] = spec.containers;
        const { value } = env.find((variable: Resource) => variable.name === 'NODE_OPTIONS');
        const megabytes = (flag: string) => Number(new RegExp(`--max-${flag}=(\\d+)`).exec(value)?.[1]);
        const heap = megabytes('old-space-size') + 3 * megabytes('semi-space-size');
        // Code, buffers and stacks of Node; the whole home has its Postgres beside it.
        const beside = args[0] === 'home' ? 96 + 256 : 96;
        const [, count, unit] = /^(\d+)([MG])i$/.exec(resources.limits.memory) ?? [];
        const limit = Number(count) * (unit === 'G' ? 1024 : 1);
        expect({ name, fits: heap + beside <= limit }).toEqual({ name, fits: true });
      }
    },
  );

  test('stay as they are when the chart alone gets another version', () => {
    for (const { labels } of podsOf(of('split')).filter(({ name }) => !name.endsWith('-test')))
      for (const name of ['helm.sh/chart', 'app.kubernetes.io/version']) expect(labels[name]).toBeUndefined();
  });

  test('have no token of the cluster, but for the Job that makes secrets', () => {
    const holders = podsOf(of('split')).filter(({ spec }) => spec.automountServiceAccountToken !== false);
    expect(holders.map(({ name }) => name)).toEqual(['home-a-hearth-make-secrets']);
  });

  test('get variables that a home takes, and all that it needs', () => {
    const secrets: Record<string, string> = {
      HEARTH_PEER_SECRET: 'a'.repeat(32),
      HEARTH_SEAL_KEY: 'A'.repeat(43),
      HEARTH_OPERATOR_KEY: 'b'.repeat(32),
      DATABASE_URL: 'postgres://a@b/c',
      NATS_URL: 'nats://a:4222',
      SMTP_URL: 'smtps://a:465',
    };
    for (const file of cases) {
      for (const { name, spec } of podsOf(of(file))) {
        if (!spec.containers[0].image.includes('hearth:') && !spec.containers[0].image.includes('hearth@'))
          continue;
        if (/make-secrets|-test$/.test(name)) continue;
        const env: Record<string, string | undefined> = {};
        for (const { name: variable, value, valueFrom } of spec.containers[0].env) {
          if (valueFrom?.secretKeyRef.optional) continue;
          env[variable] = value ?? secrets[variable] ?? 'from-a-secret';
        }
        // Kubernetes fills in what stands before it.
        for (const [variable, value] of Object.entries(env))
          env[variable] = value?.replaceAll(
            /\$\((\w+)\)/g,
            (_whole, inner: string) => env[inner] ?? 'missing',
          );
        const config = readHomeConfig(env);
        expect(config.siteUrl).toBe(`https://${config.home}`);
        const [who] = spec.containers[0].args;
        if (['home', 'gateway'].includes(who)) expect(config.hosts).toContain('home-a-hearth-gateway');
        if (file !== 'single') expect(config.databaseUrl).toBeDefined();
        if (!['home', 'migrate'].includes(who)) expect(Object.keys(config.peers)).toHaveLength(7);
      }
    }
  });
});

describe('variables that one service alone reads', () => {
  const namesOf = (resources: readonly Resource[], service: string): string[] =>
    one(resources, 'Deployment', `home-a-hearth-${service}`).spec.template.spec.containers[0].env.map(
      ({ name }: Resource) => name,
    );
  const everything = () => render({ file: 'split', values: { smtp: { existingSecret: { name: 'mail' } } } });

  test.each(serviceNames)('%s has its own, and none of another service', (service) => {
    const names = namesOf(everything(), service);
    for (const [owner, variables] of Object.entries(ownVariables()))
      for (const variable of variables)
        expect({ variable, given: names.includes(variable) }).toEqual({ variable, given: owner === service });
  });

  test("so federation, which reads strangers' bytes, has neither the operator's key nor the mail server", () => {
    const names = namesOf(everything(), 'federation');
    expect(names).toContain('HEARTH_SEAL_KEY');
    expect(names.filter((name) => /OPERATOR|SMTP/.test(name))).toEqual([]);
  });

  test('migrations get the database, and no secret of the home', () => {
    const [job] = ofKind(everything(), 'Job').filter(({ metadata }) => metadata.name.includes('migrate'));
    const names = job.spec.template.spec.containers[0].env.map(({ name }: Resource) => name);
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name: string) => /SECRET|_KEY|SMTP|NATS|REDIS|PEER/.test(name))).toEqual([]);
  });

  test('a home of one pod reads all of them', () => {
    const [home] = ofKind(
      render({ file: 'single', values: { smtp: { existingSecret: { name: 'mail' } } } }),
      'StatefulSet',
    );
    const names = home.spec.template.spec.containers[0].env.map(({ name }: Resource) => name);
    expect(names).toEqual(expect.arrayContaining(Object.values(ownVariables()).flat()));
  });
});

describe('a service', () => {
  test.each(serviceNames)('%s is replaced without a gap: probes, drain, spread and budget', (name) => {
    const resources = of('split');
    const { spec } = one(resources, 'Deployment', `home-a-hearth-${name}`);
    expect(spec).toMatchObject({
      replicas: 2,
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
    const [container] = spec.template.spec.containers;
    expect(container.args).toEqual([name]);
    const { seconds } = container.lifecycle.preStop.sleep;
    expect(seconds).toBeGreaterThanOrEqual(4);
    // 25 s is what a home takes for its stop at most.
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(seconds + 25);
    for (const constraint of spec.template.spec.topologySpreadConstraints)
      expect(constraint.matchLabelKeys).toEqual(['pod-template-hash']);
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
    if (name === 'gateway')
      expect(probes.map((probe) => probe.httpGet.path)).toEqual(['/health', '/health', '/health']);
    else for (const probe of probes) expect(probe.grpc).toEqual({ port: 9090 });
    const budget = one(resources, 'PodDisruptionBudget', `home-a-hearth-${name}`);
    expect(budget.spec.maxUnavailable).toBe(1);
    expect(matches(budget.spec.selector.matchLabels, spec.template.metadata.labels)).toBe(true);
  });

  test.each(serviceNames.filter((name) => name !== 'gateway'))(
    '%s has a Service without an address',
    (name) => {
      const service = one(of('split'), 'Service', `home-a-hearth-${name}`);
      expect(service.spec.clusterIP).toBe('None');
      const { spec } = one(of('split'), 'Deployment', `home-a-hearth-${name}`);
      expect(matches(service.spec.selector, spec.template.metadata.labels)).toBe(true);
    },
  );

  test('has its own settings over the defaults', () => {
    const { spec } = one(of('production'), 'Deployment', 'home-a-hearth-messages');
    expect(spec).toMatchObject({ replicas: 3, template: { spec: { nodeSelector: { disk: 'fast' } } } });
    const gateway = one(of('production'), 'Deployment', 'home-a-hearth-gateway').spec;
    expect(gateway.template.spec.containers[0].resources.limits).toEqual({ memory: '768Mi' });
    expect(gateway.minReadySeconds).toBe(2);
  });

  test('is scaled by load where that is said, and its Deployment then has no number of its own', () => {
    const [scaler] = ofKind(of('production'), 'HorizontalPodAutoscaler');
    expect(scaler.spec).toMatchObject({ minReplicas: 3, maxReplicas: 12 });
    expect(one(of('production'), 'Deployment', 'home-a-hearth-gateway').spec.replicas).toBeUndefined();
    expect(ofKind(of('split'), 'HorizontalPodAutoscaler')).toEqual([]);
  });

  test('is scaled by KEDA behind a switch, the gateway by what it holds', () => {
    expect(ofKind(of('keda'), 'HorizontalPodAutoscaler')).toEqual([]);
    const scaled = ofKind(of('keda'), 'ScaledObject');
    expect(scaled.map(({ metadata }) => metadata.name)).toEqual([
      'home-a-hearth-gateway',
      'home-a-hearth-delivery',
    ]);
    expect(scaled[0].spec.triggers[1].metadata.query).toBe(
      'sum(hearth_holds_active{namespace="homes",app_kubernetes_io_instance="home-a"})',
    );
    expect(seriesOf(root)).toContain('hearth_holds_active');
  });
});

describe('secrets', () => {
  test('are never rendered', () => {
    for (const file of cases) expect(ofKind(of(file), 'Secret')).toEqual([]);
  });

  test('are made by a Job that may create them, and neither read nor change them', () => {
    const role = one(of('split'), 'Role', 'home-a-hearth-make-secrets');
    expect(role.rules).toEqual([{ apiGroups: [''], resources: ['secrets'], verbs: ['create'] }]);
    const job = one(of('split'), 'Job', 'home-a-hearth-make-secrets');
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(job.spec.template.spec.containers[0].args).toContain('home-a-hearth-secrets');
    for (const name of ['ServiceAccount', 'Role', 'RoleBinding']) {
      const { annotations } = one(of('split'), name, 'home-a-hearth-make-secrets').metadata;
      expect(Number(annotations['helm.sh/hook-weight'])).toBeLessThan(-10);
    }
  });

  test('of certificates lie as files in pods: those of each service, and authorities for all', () => {
    const values = {
      tls: { enabled: true, secretPrefix: 'own' },
      authorities: { existingSecret: { name: 'authorities', key: 'more.crt' } },
    };
    const resources = render({ file: 'split', values });
    for (const name of serviceNames) {
      const { spec } = one(resources, 'Deployment', `home-a-hearth-${name}`).spec.template;
      const [{ env, volumeMounts, startupProbe, readinessProbe, livenessProbe }] = spec.containers;
      const variables = Object.fromEntries(env.map(({ name: key, value }: Resource) => [key, value]));
      expect(variables).toMatchObject({
        HEARTH_TLS_CERT: '/etc/hearth/tls/tls.crt',
        HEARTH_TLS_KEY: '/etc/hearth/tls/tls.key',
        HEARTH_TLS_CA: '/etc/hearth/tls/ca.crt',
        NODE_EXTRA_CA_CERTS: '/etc/hearth/authorities/more.crt',
      });
      const volume = (key: string) => spec.volumes.find((found: Resource) => found.name === key).secret;
      expect(volume('tls')).toEqual({ secretName: `own-${name}-tls`, defaultMode: 0o440 });
      expect(volume('authorities')).toEqual({ secretName: 'authorities', defaultMode: 0o440 });
      for (const key of ['tls', 'authorities'])
        expect(volumeMounts).toContainEqual({ name: key, mountPath: `/etc/hearth/${key}`, readOnly: true });
      // A probe by gRPC speaks no TLS.
      if (name !== 'gateway')
        for (const probe of [startupProbe, readinessProbe, livenessProbe])
          expect(probe.tcpSocket).toEqual({ port: 9090 });
    }
    for (const { name, spec } of podsOf(resources).filter(({ name }) => name.includes('migrate')))
      expect({ name, volumes: JSON.stringify(spec.volumes) }).toMatchObject({
        volumes: expect.stringContaining('authorities'),
      });
  });

  test('of yours are taken as they are, and then no Job has rights', () => {
    expect(of('production').filter(({ kind }) => ['Role', 'RoleBinding'].includes(kind))).toEqual([]);
    const text = JSON.stringify(of('production'));
    expect(text).toContain('"secretKeyRef":{"name":"c-secrets","key":"HEARTH_SEAL_KEY"}');
    expect(text).not.toContain('home-a-hearth-secrets');
  });
});

describe('migrations', () => {
  const jobs = (options: RenderOptions) =>
    ofKind(render(options), 'Job').filter(({ metadata }) => metadata.name.includes('migrate'));

  test('are a Job of its own for each image', () => {
    const [now] = jobs({ file: 'split' });
    const [next] = jobs({ file: 'split', values: { image: { tag: '0.2.0' } } });
    expect(now.metadata.annotations).toBeUndefined();
    expect(next.metadata.name).not.toBe(now.metadata.name);
    expect(now.spec.template.spec.containers[0].args).toEqual(['migrate']);
  });

  test('are a hook before the rest, or left to the services', () => {
    const [hook] = jobs({ file: 'production' });
    expect(hook.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(jobs({ file: 'split', values: { migrations: { mode: 'start' } } })).toEqual([]);
  });
});

describe('an upgrade', () => {
  const home = { home: { name: 'a.example' } };
  const { appVersion } = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8'));
  const [major, minor] = appVersion.split('.').map(Number);
  const gateway = (version: string) => ({
    kind: 'Deployment',
    metadata: { name: 'home-a-hearth-gateway', labels: { 'app.kubernetes.io/version': version } },
  });
  const single = { kind: 'StatefulSet', metadata: { name: 'home-a-hearth-home' } };

  test.each([appVersion, `${major}.${minor}.9`, `${major}.${minor + 1}.0`])(
    'is taken where %s is installed',
    async (version) => {
      // The API here knows no kind but two, which is what comes after the check.
      expect(await tryUpgrade(gateway(version), home)).toContain('no matches for kind "Job"');
    },
  );

  test('is refused where it leaves a version out, and says what is right', async () => {
    const said = await tryUpgrade(gateway(`${major}.${minor + 2}.0`), home);
    expect(said).toContain(`${major}.${minor + 2}.0 is installed and this chart is ${appVersion}`);
    expect(said).toContain('restore the backup from before the upgrade; see UPGRADING.md');
    expect(said).not.toContain('no matches for kind');
  });

  test.each([
    ['single', 'split', gateway(appVersion)],
    ['split', 'single', single],
  ])('is refused where mode %s would begin beside the data of mode %s', async (mode, was, installed) => {
    const said = await tryUpgrade(installed, { ...home, mode });
    expect(said).toContain(
      `this release is mode ${was}, and mode ${mode} would begin with an empty database`,
    );
    expect(said).toContain('dump it, helm uninstall');
  });
});

describe('network policies', () => {
  const policy = (file: string, name: string) => one(of(file), 'NetworkPolicy', `home-a-hearth-${name}`).spec;
  const leavesHome = ({ egress }: Resource) =>
    egress.some((rule: Resource) => rule.to?.some(({ ipBlock }: Resource) => ipBlock !== undefined));

  test.each(cases)('of ci/%s.yaml deny everything, and hold every pod one by one', (file) => {
    expect(policy(file, 'default-deny')).toEqual({
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'hearth', 'app.kubernetes.io/instance': 'home-a' },
      },
      policyTypes: ['Ingress', 'Egress'],
    });
    const policies = ofKind(of(file), 'NetworkPolicy');
    for (const { name, labels } of podsOf(of(file))) {
      const held = policies.filter(({ spec }) => matches(spec.podSelector.matchLabels, labels));
      // That which denies, and its own.
      expect({ name, policies: held.length }).toEqual({ name, policies: 2 });
    }
    for (const { spec } of policies) expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  test('let the world in at the gateway alone', () => {
    for (const { metadata, spec } of ofKind(of('split'), 'NetworkPolicy')) {
      const open = (spec.ingress ?? []).filter(({ from }: Resource) => from === undefined);
      const isGateway = metadata.name === 'home-a-hearth-gateway';
      expect({ name: metadata.name, open }).toEqual({
        name: metadata.name,
        open: isGateway ? [{ ports: [{ port: 8080, protocol: 'TCP' }] }] : [],
      });
    }
  });

  test('let four services out into the world, and none into private networks or to the metadata of a cloud', () => {
    const leaving = ofKind(of('split'), 'NetworkPolicy').filter(
      ({ spec }) => spec.egress && leavesHome(spec),
    );
    expect(leaving.map(({ metadata }) => metadata.name.replace('home-a-hearth-', '')).sort()).toEqual([
      'approvals',
      'delivery',
      'federation',
      'gateway',
    ]);
    for (const { spec } of leaving) {
      const blocks = spec.egress
        .flatMap(({ to = [] }: Resource) => to)
        .flatMap(({ ipBlock = [] }: Resource) => ipBlock);
      const [four, six] = blocks;
      expect(four.cidr).toBe('0.0.0.0/0');
      for (const network of [
        '10.0.0.0/8',
        '172.16.0.0/12',
        '192.168.0.0/16',
        '169.254.0.0/16',
        '127.0.0.0/8',
        '100.64.0.0/10',
      ])
        expect(four.except).toContain(network);
      // Addresses of the world alone: fc00::/7 and fe80::/10 are not in it.
      expect(six.cidr).toBe('2000::/3');
    }
  });

  test('leave no way out or in to everywhere, but to the mail server and the API of the cluster, and in to the gateway', () => {
    const values = {
      smtp: { existingSecret: { name: 'mail' } },
      ...{ otlp: { endpoint: 'http://collector:4317' }, metrics: { enabled: true } },
    };
    const own = {
      database: { existingSecret: { name: 'pg' } },
      nats: { url: 'nats://nats.data:4222' },
      redis: { url: 'redis://redis.data:6379' },
    };
    for (const mode of ['split', 'single'])
      for (const given of [
        { mode, ...values },
        { mode, ...values, ...own },
      ]) {
        const open = ofKind(render({ values: given }), 'NetworkPolicy').flatMap(({ metadata, spec }) =>
          [...(spec.ingress ?? []), ...(spec.egress ?? [])]
            .filter(({ from, to }: Resource) => (from ?? to ?? []).length === 0)
            .map(({ ports }: Resource) =>
              [
                metadata.labels['app.kubernetes.io/component'],
                ...ports.map(({ port }: Resource) => port),
              ].join(' '),
            ),
        );
        const [gateway, delivery] = mode === 'split' ? ['gateway', 'delivery'] : ['home', 'home'];
        expect(open.sort()).toEqual(
          [`${gateway} 8080`, `${delivery} 25 465 587`, 'make-secrets 443 6443'].sort(),
        );
      }
  });

  test('go to data of yours at the ports of what you bring, among pods and networks near by', () => {
    const database = { existingSecret: { name: 'pg' } };
    const { egress } = one(
      render({ file: 'split', values: { database, networkPolicy: { nearNetworks: ['10.1.0.0/16'] } } }),
      'NetworkPolicy',
      'home-a-hearth-messages',
    ).spec;
    const [yours] = egress.filter(({ ports }: Resource) => ports.some(({ port }: Resource) => port === 5432));
    expect(yours).toEqual({
      to: [{ namespaceSelector: {} }, { ipBlock: { cidr: '10.1.0.0/16' } }],
      ports: [{ port: 5432, protocol: 'TCP' }],
    });
  });

  test('let the data be reached by the home, and go nowhere', () => {
    for (const [name, port] of Object.entries({ postgres: 5432, nats: 4222, redis: 6379 })) {
      const { ingress, egress } = policy('split', name);
      expect(egress).toEqual([]);
      expect(ingress[0].ports).toEqual([{ port, protocol: 'TCP' }]);
      expect(ingress[0].from[0].podSelector.matchLabels).toMatchObject({ 'hearth.part': 'service' });
    }
  });

  test('go to your own data where that is said, and the gateway takes whom you name, and the test', () => {
    const { egress, ingress } = policy('production', 'gateway');
    expect(JSON.stringify(egress)).toContain('"kubernetes.io/metadata.name":"data"');
    expect(ingress[0].from).toHaveLength(2);
    expect(JSON.stringify(ingress[0].from[1])).toContain('"app.kubernetes.io/component":"test"');
  });
});

describe('how the world comes in', () => {
  test('by an Ingress, or a route that waits longer than the longest wait', () => {
    const [ingress] = ofKind(of('production'), 'Ingress');
    expect(ingress.spec.rules[0].host).toBe('c.example');
    expect(ingress.spec.tls).toEqual([{ hosts: ['c.example'], secretName: 'c-tls' }]);
    const [route] = ofKind(of('production'), 'HTTPRoute');
    expect(route.spec.hostnames).toEqual(['c.example']);
    for (const timeout of Object.values(route.spec.rules[0].timeouts as Record<string, string>))
      expect(Number.parseInt(timeout, 10)).toBeGreaterThan(60);
    for (const kind of ['Ingress', 'HTTPRoute']) expect(ofKind(of('split'), kind)).toEqual([]);
  });
});

describe('the data', () => {
  test('comes along for trials, with volumes, and not where it is given', () => {
    const names = (file: string) => ofKind(of(file), 'StatefulSet').map(({ metadata }) => metadata.name);
    expect(names('split')).toEqual(['home-a-hearth-postgres', 'home-a-hearth-nats', 'home-a-hearth-redis']);
    expect(names('production')).toEqual([]);
    const own = render({ file: 'split', values: { database: { existingSecret: { name: 'pg' } } } });
    expect(ofKind(own, 'StatefulSet').map(({ metadata }) => metadata.name)).toEqual([
      'home-a-hearth-nats',
      'home-a-hearth-redis',
    ]);
  });

  test('of a home of one pod is on a volume of it, and nothing else runs', () => {
    const [home, ...others] = podsOf(of('single')).filter(({ name }) => !/make-secrets|-test$/.test(name));
    expect(others).toEqual([]);
    expect(home?.spec.containers[0].args).toEqual(['home']);
    const [set] = ofKind(of('single'), 'StatefulSet');
    expect(set.spec.replicas).toBe(1);
    expect(set.spec.volumeClaimTemplates[0].metadata.name).toBe('data');
    const service = one(of('single'), 'Service', 'home-a-hearth-gateway');
    expect(matches(service.spec.selector, set.spec.template.metadata.labels)).toBe(true);
  });
});

test('two homes in one namespace share no name, and select none of the pods of each other', () => {
  const a = of('split');
  const b = render({ release: 'home-b', file: 'split', values: { home: { name: 'b.example' } } });
  const key = ({ kind, metadata }: Resource) => `${kind} ${metadata.name}`;
  const names = new Set(a.map(key));
  expect(b.map(key).filter((name) => names.has(name))).toEqual([]);
  const selectors = [a, b].map((resources) =>
    resources.flatMap(({ kind, spec }) => {
      const selector =
        kind === 'Service' ? spec.selector : (spec?.selector?.matchLabels ?? spec?.podSelector?.matchLabels);
      return selector === undefined ? [] : [selector];
    }),
  );
  for (const [mine, others] of [
    [0, b],
    [1, a],
  ] as const)
    for (const selector of selectors[mine] as Record<string, string>[])
      for (const { name, labels } of podsOf(others))
        expect({ name, selector, selected: matches(selector, labels) }).toMatchObject({ selected: false });
  // Nor does a policy let pods of the other in: every selector of pods names the release.
  const peers = JSON.stringify(ofKind(a, 'NetworkPolicy'));
  expect(peers).not.toContain('home-b');
  expect(JSON.stringify(a)).not.toContain('home-b');
});

describe('monitoring', () => {
  const series = seriesOf(root);
  const alerts = rules.groups.flatMap((group) => group.rules);

  test('every alert and every panel looks at series that a home has', () => {
    const expressions = [
      ...alerts.map(({ expr }) => expr),
      ...Object.values(dashboards).flatMap((dashboard: Resource) =>
        dashboard.panels.flatMap(({ targets }: Resource) => targets.map(({ expr }: Resource) => expr)),
      ),
    ];
    expect(expressions.length).toBeGreaterThan(30);
    for (const expression of expressions) {
      const named = seriesIn(expression);
      expect(named.length).toBeGreaterThan(0);
      for (const name of named)
        expect({ expression, known: series.has(name), name }).toMatchObject({ known: true });
    }
  });

  test('alerts look at this home alone, and each has its runbook', () => {
    const [rule] = ofKind(of('production'), 'PrometheusRule');
    const document = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8').toLowerCase();
    const rendered = rule.spec.groups.flatMap(({ rules: list }: Resource) => list);
    expect(rendered).toHaveLength(alerts.length);
    for (const { alert, expr, annotations } of rendered) {
      expect(expr).toContain('{namespace="homes",app_kubernetes_io_instance="home-a"');
      expect(expr).not.toContain('HOME');
      expect(annotations.runbook_url).toBe(`docs/kubernetes.md#${alert.toLowerCase()}`);
      expect(document).toContain(`### ${alert.toLowerCase()}\n`);
    }
  });

  test('pods open their metrics where a PodMonitor looks for them', () => {
    const [monitor] = ofKind(of('production'), 'PodMonitor');
    const services = podsOf(of('production')).filter(({ name }) => /hearth-(?!test|migrate)/.test(name));
    expect(services).toHaveLength(serviceNames.length);
    for (const { labels, spec } of services) {
      expect(matches(monitor.spec.selector.matchLabels, labels)).toBe(true);
      const port = spec.containers[0].ports.find(({ name }: Resource) => name === 'metrics');
      expect(port.containerPort).toBe(9464);
    }
    expect(JSON.stringify(of('split'))).not.toContain('9464');
  });

  test('what is measured leaves by OTLP too where an endpoint is given', () => {
    const variables = (file: string) => {
      const { env } = one(of(file), 'Deployment', 'home-a-hearth-messages').spec.template.spec.containers[0];
      return Object.fromEntries(env.map(({ name, value }: Resource) => [name, value]));
    };
    expect(variables('production')).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.monitoring:4317',
      OTEL_METRICS_EXPORTER: 'prometheus,otlp',
    });
    expect(Object.keys(variables('split')).filter((name) => name.startsWith('OTEL_'))).toEqual([]);
  });

  test('dashboards come as JSON', () => {
    const [map] = ofKind(of('production'), 'ConfigMap');
    expect(Object.keys(map.data)).toHaveLength(4);
    for (const text of Object.values(map.data as Record<string, string>))
      expect(JSON.parse(text).panels.length).toBeGreaterThan(4);
  });
});
