import { describe, expect, test } from '@jest/globals';
import { ofKind, one, podsOf, type Resource, render } from './render-chart.ts';
import { cases, of, useHelm } from './rendered.ts';
import { serviceNames } from './values.ts';

useHelm();

describe('secrets', () => {
  test('are never rendered', () => {
    for (const file of cases) expect(ofKind(of(file), 'Secret')).toEqual([]);
  });

  test('are created by a Job that may create them, but not read or change them', () => {
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

  test('for certificates are files in pods: one set for each service, and authorities for all', () => {
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
      // gRPC probes do not support TLS.
      if (name !== 'gateway')
        for (const probe of [startupProbe, readinessProbe, livenessProbe])
          expect(probe.tcpSocket).toEqual({ port: 9090 });
    }
    for (const { name, spec } of podsOf(resources).filter(({ name }) => name.includes('migrate')))
      expect({ name, volumes: JSON.stringify(spec.volumes) }).toMatchObject({
        volumes: expect.stringContaining('authorities'),
      });
  });

  test('from the operator are used as they are, and then no Job has rights', () => {
    expect(of('production').filter(({ kind }) => ['Role', 'RoleBinding'].includes(kind))).toEqual([]);
    const text = JSON.stringify(of('production'));
    expect(text).toContain('"secretKeyRef":{"name":"c-secrets","key":"HEARTH_SEAL_KEY"}');
    expect(text).not.toContain('home-a-hearth-secrets');
  });
});
