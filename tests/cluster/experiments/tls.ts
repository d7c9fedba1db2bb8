import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { make as makeCertificate } from '../../../scripts/cluster/certificates.ts';
import { chart, valuesOf } from '../../../scripts/cluster/homes.ts';
import { state } from '../../../scripts/cluster/settings.ts';
import { run } from '../../../scripts/tools/run.mjs';
import { homeB, services, talkInside } from '../support.ts';

/** Enables mutual TLS between services; the home serves as before. */
export async function tls(): Promise<void> {
  const { release } = homeB;
  const items = services.map((service) => {
    const name = `${release}-hearth-${service}-tls`;
    makeCertificate(name, `/CN=${service}`, [`DNS:${service}`]);
    const [tlsCert, tlsKey, ca] = [`${name}.crt`, `${name}.key`, 'ca.crt'].map((file) =>
      readFileSync(join(state, 'pki', file), 'utf8'),
    );
    const stringData = { 'tls.crt': tlsCert, 'tls.key': tlsKey, 'ca.crt': ca };
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name, namespace: release },
      stringData,
    };
  });
  run('kubectl', ['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  const upgrade = [
    'upgrade',
    release,
    chart,
    '--namespace',
    release,
    '--values',
    '-',
    '--wait',
    '--timeout',
    '6m',
  ];
  run('helm', upgrade, { input: JSON.stringify({ ...valuesOf(homeB), tls: { enabled: true } }) });
  run('helm', ['test', release, '--namespace', release, '--timeout', '3m']);
  await talkInside(homeB);
}
