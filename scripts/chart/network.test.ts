import { describe, expect, test } from '@jest/globals';
import { matches, ofKind, one, podsOf, type Resource, render } from './render-chart.ts';
import { cases, of, useHelm } from './rendered.ts';

useHelm();

describe('network policies', () => {
  const policy = (file: string, name: string) => one(of(file), 'NetworkPolicy', `home-a-hearth-${name}`).spec;
  const leavesHome = ({ egress }: Resource) =>
    egress.some((rule: Resource) => rule.to?.some(({ ipBlock }: Resource) => ipBlock !== undefined));

  test.each(cases)('in ci/%s.yaml deny everything by default, and cover every pod', (file) => {
    expect(policy(file, 'default-deny')).toEqual({
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'hearth', 'app.kubernetes.io/instance': 'home-a' },
      },
      policyTypes: ['Ingress', 'Egress'],
    });
    const policies = ofKind(of(file), 'NetworkPolicy');
    for (const { name, labels } of podsOf(of(file))) {
      const held = policies.filter(({ spec }) => matches(spec.podSelector.matchLabels, labels));
      // The default-deny policy, and the pod's own.
      expect({ name, policies: held.length }).toEqual({ name, policies: 2 });
    }
    for (const { spec } of policies) expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  test('accept the internet at the gateway only', () => {
    for (const { metadata, spec } of ofKind(of('split'), 'NetworkPolicy')) {
      const open = (spec.ingress ?? []).filter(({ from }: Resource) => from === undefined);
      const isGateway = metadata.name === 'home-a-hearth-gateway';
      expect({ name: metadata.name, open }).toEqual({
        name: metadata.name,
        open: isGateway ? [{ ports: [{ port: 8080, protocol: 'TCP' }] }] : [],
      });
    }
  });

  test('let four services reach the internet, but no private networks or cloud metadata', () => {
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
      // Only public addresses: fc00::/7 and fe80::/10 are not included.
      expect(six.cidr).toBe('2000::/3');
    }
  });

  test('open no traffic to everywhere, except to the mail server and the Kubernetes API, and in to the gateway', () => {
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

  test('reach external data at its ports, in nearby pods and networks', () => {
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

  test('let the home reach the data, which reaches nothing', () => {
    for (const [name, port] of Object.entries({ postgres: 5432, nats: 4222, redis: 6379 })) {
      const { ingress, egress } = policy('split', name);
      expect(egress).toEqual([]);
      expect(ingress[0].ports).toEqual([{ port, protocol: 'TCP' }]);
      expect(ingress[0].from[0].podSelector.matchLabels).toMatchObject({ 'hearth.part': 'service' });
    }
  });

  test('reach external data where configured, and let chosen sources reach the gateway, and the test too', () => {
    const { egress, ingress } = policy('production', 'gateway');
    expect(JSON.stringify(egress)).toContain('"kubernetes.io/metadata.name":"data"');
    expect(ingress[0].from).toHaveLength(2);
    expect(JSON.stringify(ingress[0].from[1])).toContain('"app.kubernetes.io/component":"test"');
  });
});

describe('ingress', () => {
  test('is an Ingress, or a route with a timeout above the longest wait', () => {
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
