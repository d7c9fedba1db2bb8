import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { chartFiles } from './files.ts';
import {
  chartFolder,
  helm,
  matches,
  ofKind,
  podsOf,
  type Resource,
  render,
  renderText,
  root,
  tryRender,
} from './render-chart.ts';
import { cases, of, useHelm } from './rendered.ts';
import { serviceNames } from './values.ts';

useHelm();

describe('the whole chart', () => {
  test('matches its declarations: npm run chart', () => {
    for (const [name, text] of Object.entries(chartFiles()))
      expect({ name, text: readFileSync(join(chartFolder, name), 'utf8') }).toEqual({ name, text });
  });

  test('contains every service of the home', () => {
    const folders = readdirSync(join(root, 'services')).filter((name) => name !== 'home');
    expect([...serviceNames].sort()).toEqual(folders.sort());
    const components = ofKind(of('split'), 'Deployment').map(({ metadata }) => metadata.name);
    expect(components.sort()).toEqual(folders.map((name) => `home-a-hearth-${name}`).sort());
  });

  test.each(cases)('passes helm lint with ci/%s.yaml', (file) => {
    const said = helm(['lint', '--strict', chartFolder, '--values', join(chartFolder, 'ci', `${file}.yaml`)]);
    expect(said).toMatchObject({ code: 0 });
  });

  // HEARTH_GOLDEN=write rewrites them; review the difference before committing.
  test.each(['split', 'single', 'production'])('renders ci/%s.yaml as its golden file', (file) => {
    const text = renderText({ file });
    const path = join(root, 'deploy', 'helm', 'golden', `${file}.yaml`);
    if (process.env.HEARTH_GOLDEN === 'write') writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, 'utf8'));
  });

  test('renders the same twice', () => {
    expect(renderText({ file: 'production' })).toBe(renderText({ file: 'production' }));
  });
});

describe('values', () => {
  test.each<[string, object]>([
    ['an unknown value', { homes: {} }],
    ['a mistyped value', { home: { nmae: 'a.example' } }],
    ['a mistyped value of a service', { services: { gateway: { replica: 2 } } }],
    ['an unknown service', { services: { gatewy: {} } }],
    ['an unknown mode', { mode: 'cluster' }],
    ['an invalid name', { home: { name: 'Home' } }],
    ['a text instead of a number', { services: { gateway: { replicas: 'two' } } }],
    ['an invalid digest', { image: { digest: 'latest' } }],
    ['a grace period shorter than shutdown', { defaults: { terminationGracePeriodSeconds: 10 } }],
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
      'a monitor without metrics',
      { metrics: { podMonitor: { enabled: true } } },
      'metrics.podMonitor.enabled needs',
    ],
  ])('refuses %s, and says what is missing', (_words, values, words) => {
    expect(tryRender({ values }).said).toContain(words);
  });

  test('each have a description', () => {
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

  test.each(cases)('in ci/%s.yaml matches the Kubernetes schema, without unknown fields', (file) => {
    for (const resource of of(file)) {
      const validate = validatorOf(`${resource.apiVersion}/${resource.kind}`);
      validate(resource);
      expect({ name: resource.metadata.name, errors: validate.errors }).toEqual({
        name: resource.metadata.name,
        errors: null,
      });
    }
  });

  test('is refused with an unknown field', () => {
    const deployment = structuredClone(ofKind(of('split'), 'Deployment')[0]);
    deployment.spec.template.spec.containers[0].comand = ['node'];
    expect(validatorOf('apps/v1/Deployment')(deployment)).toBe(false);
  });

  test.each(cases)('in ci/%s.yaml is in the namespace of the release, and none is cluster-wide', (file) => {
    const ofCluster =
      /^(Cluster|Namespace|CustomResource|PersistentVolume$|StorageClass|PriorityClass|.*Webhook)/;
    for (const { kind, metadata } of of(file)) {
      expect(kind).not.toMatch(ofCluster);
      expect(metadata.namespace).toBe('homes');
      expect(metadata.labels['app.kubernetes.io/instance']).toBe('home-a');
    }
  });

  test('exists once', () => {
    for (const file of cases) {
      const names = of(file).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});

describe('every reference', () => {
  test.each(cases)(
    'in ci/%s.yaml resolves: pods of Services, accounts, claims, ports and targets',
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
        // Volumes outlive their pods and the release: by default Kubernetes keeps a StatefulSet's claims.
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

test('two homes in one namespace share no names, and select none of each other’s pods', () => {
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
  // No policy admits the other release's pods: every pod selector names the release.
  const peers = JSON.stringify(ofKind(a, 'NetworkPolicy'));
  expect(peers).not.toContain('home-b');
  expect(JSON.stringify(a)).not.toContain('home-b');
});
