import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../tools/run.mjs';
import { addressOf, apiService, host, kubeconfig, nodeName, state } from './settings.ts';

const folder = join(state, 'pki');
const file = (name: string) => join(folder, name);
const openssl = (...args: string[]) =>
  run('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });

/** Creates the cluster's authority, and a key, certificate and kubeconfig for each of its components. */
export function makeCertificates(nodes: number, worldNames: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  makeKey('ca');
  openssl('req', '-x509', '-new', '-key', 'ca.key', '-out', 'ca.crt', '-days', '30', '-subj', '/CN=cluster');
  const names = ['', '.default', '.default.svc', '.default.svc.cluster.local'].map(
    (end) => `DNS:kubernetes${end}`,
  );
  make('apiserver', '/CN=kube-apiserver', [...names, `IP:${host}`, `IP:${apiService}`]);
  make('admin', '/O=system:masters/CN=admin');
  for (const part of ['kube-controller-manager', 'kube-scheduler', 'kube-proxy'])
    make(part, `/CN=system:${part}`);
  for (let node = 1; node <= nodes; node += 1) {
    const name = nodeName(node);
    make(name, `/O=system:nodes/CN=system:node:${name}`, [`DNS:${name}`, `IP:${addressOf(node)}`]);
  }
  const dns = (name: string) => `DNS:${name}`;
  make('world', '/CN=world', worldNames.map(dns));
  makeKey('accounts');
  openssl('ec', '-in', 'accounts.key', '-pubout', '-out', 'accounts.pub');
}

const makeKey = (name: string) =>
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);

/** Creates a key, certificate and kubeconfig with that name, in the folder of the cluster's keys. */
export function make(name: string, subject: string, alternatives: string[] = []): void {
  makeKey(name);
  openssl('req', '-new', '-key', `${name}.key`, '-out', `${name}.csr`, '-subj', subject);
  const names = alternatives.length > 0 ? `subjectAltName=${alternatives.join(',')}\n` : '';
  writeFileSync(file(`${name}.ext`), `${names}extendedKeyUsage=serverAuth,clientAuth\n`);
  openssl(
    ...[
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-out',
      `${name}.crt`,
      '-extfile',
      `${name}.ext`,
      '-days',
      '30',
    ],
    ...['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
  );
  const cluster = { server: `https://${host}:6443`, 'certificate-authority': file('ca.crt') };
  const user = { 'client-certificate': file(`${name}.crt`), 'client-key': file(`${name}.key`) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'own',
    clusters: [{ name: 'own', cluster }],
    users: [{ name: 'own', user }],
    contexts: [{ name: 'own', context: { cluster: 'own', user: 'own' } }],
  };
  writeFileSync(kubeconfig(name), JSON.stringify(config));
}
