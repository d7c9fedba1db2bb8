import { ownVariables, readHomeConfig } from '@hearth/config';
import { describe, expect, test } from '@jest/globals';
import { seriesOf } from './metrics.ts';
import { matches, ofKind, one, podsOf, type Resource, render, root } from './render-chart.ts';
import { cases, of, useHelm } from './rendered.ts';
import { serviceNames } from './values.ts';

useHelm();

test.each(['split', 'single'])(
  'catalogues for further languages are mounted in %s homes, one folder each',
  (file) => {
    const catalogues = { de: 'hearth-de', 'pt-BR': 'hearth-portuguese' };
    const resources = render({ file, values: { home: { catalogues } } });
    const services = podsOf(resources).filter(
      ({ name, labels }) => labels['hearth.part'] === 'service' && !name.includes('migrate'),
    );
    expect(services.length).toBeGreaterThan(0);
    for (const { spec } of services) {
      const [{ env, volumeMounts }] = spec.containers;
      expect(env).toContainEqual({ name: 'HEARTH_CATALOGUES', value: '/etc/hearth/catalogues' });
      for (const [language, name] of Object.entries(catalogues)) {
        const volume = `catalogue-${language.toLowerCase()}`;
        const mountPath = `/etc/hearth/catalogues/${language}`;
        expect(volumeMounts).toContainEqual({ name: volume, mountPath, readOnly: true });
        expect(spec.volumes).toContainEqual({ name: volume, configMap: { name } });
      }
    }
  },
);

describe('pods', () => {
  test.each(cases)('in ci/%s.yaml meet the restricted Pod Security standard, on a read-only root', (file) => {
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
  });

  test.each(cases)('in ci/%s.yaml that run Node limit its heap to fit below their memory limit', (file) => {
    const services = podsOf(of(file)).filter(({ labels }) => labels['hearth.part'] === 'service');
    expect(services.length).toBeGreaterThan(0);
    for (const { name, spec } of services) {
      const [{ args, env, resources }] = spec.containers;
      const { value } = env.find((variable: Resource) => variable.name === 'NODE_OPTIONS');
      const megabytes = (flag: string) => Number(new RegExp(`--max-${flag}=(\\d+)`).exec(value)?.[1]);
      const heap = megabytes('old-space-size') + 3 * megabytes('semi-space-size');
      // Node's code, buffers and stacks; the whole home also runs Postgres.
      const beside = args[0] === 'home' ? 96 + 256 : 96;
      const [, count, unit] = /^(\d+)([MG])i$/.exec(resources.limits.memory) ?? [];
      const limit = Number(count) * (unit === 'G' ? 1024 : 1);
      expect({ name, fits: heap + beside <= limit }).toEqual({ name, fits: true });
    }
  });

  test('stay as they are when only the chart version changes', () => {
    for (const { labels } of podsOf(of('split')).filter(({ name }) => !name.endsWith('-test')))
      for (const name of ['helm.sh/chart', 'app.kubernetes.io/version']) expect(labels[name]).toBeUndefined();
  });

  test('have no service account token, except for the Job that makes secrets', () => {
    const holders = podsOf(of('split')).filter(({ spec }) => spec.automountServiceAccountToken !== false);
    expect(holders.map(({ name }) => name)).toEqual(['home-a-hearth-make-secrets']);
  });

  test('get only variables that a home reads, and all that it needs', () => {
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
        // Kubernetes substitutes variables defined earlier.
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

describe('variables that only one service reads', () => {
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

  test("keep the operator's key and the mail server from federation, which reads untrusted bytes", () => {
    const names = namesOf(everything(), 'federation');
    expect(names).toContain('HEARTH_SEAL_KEY');
    expect(names.filter((name) => /OPERATOR|SMTP/.test(name))).toEqual([]);
  });

  test('give migrations the database, and no secret of the home', () => {
    const [job] = ofKind(everything(), 'Job').filter(({ metadata }) => metadata.name.includes('migrate'));
    const names = job.spec.template.spec.containers[0].env.map(({ name }: Resource) => name);
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name: string) => /SECRET|_KEY|SMTP|NATS|REDIS|PEER/.test(name))).toEqual([]);
  });

  test('are all read by a single-pod home', () => {
    const [home] = ofKind(
      render({ file: 'single', values: { smtp: { existingSecret: { name: 'mail' } } } }),
      'StatefulSet',
    );
    const names = home.spec.template.spec.containers[0].env.map(({ name }: Resource) => name);
    expect(names).toEqual(expect.arrayContaining(Object.values(ownVariables()).flat()));
  });
});

describe('a service', () => {
  test.each(serviceNames)('%s is replaced without downtime: probes, drain, spread and budget', (name) => {
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
    // A home takes at most 25 s to stop.
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

  test('is scaled by load when configured, and its Deployment then sets no replicas', () => {
    const [scaler] = ofKind(of('production'), 'HorizontalPodAutoscaler');
    expect(scaler.spec).toMatchObject({ minReplicas: 3, maxReplicas: 12 });
    expect(one(of('production'), 'Deployment', 'home-a-hearth-gateway').spec.replicas).toBeUndefined();
    expect(ofKind(of('split'), 'HorizontalPodAutoscaler')).toEqual([]);
  });

  test('is scaled by KEDA when enabled, the gateway by its held calls', () => {
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

describe('the bundled data', () => {
  test('is included for trials, with volumes, and left out when external data is given', () => {
    const names = (file: string) => ofKind(of(file), 'StatefulSet').map(({ metadata }) => metadata.name);
    expect(names('split')).toEqual(['home-a-hearth-postgres', 'home-a-hearth-nats', 'home-a-hearth-redis']);
    expect(names('production')).toEqual([]);
    const own = render({ file: 'split', values: { database: { existingSecret: { name: 'pg' } } } });
    expect(ofKind(own, 'StatefulSet').map(({ metadata }) => metadata.name)).toEqual([
      'home-a-hearth-nats',
      'home-a-hearth-redis',
    ]);
  });

  test('of a single-pod home is on its volume, and nothing else runs', () => {
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
