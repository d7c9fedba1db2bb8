import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, state } from './settings.ts';

export interface ClusterHome {
  /** The release name, and the namespace. */
  release: string;
  /** The home's name, at which it serves https inside the cluster. */
  name: string;
  replicas: number;
}

/**
 * Reserved names (RFC 2606), which do not resolve on the internet. The first home has two pods per service, the second
 * one.
 */
export const homes: readonly ClusterHome[] = [
  { release: 'home-a', name: 'a.example.org', replicas: 2 },
  { release: 'home-b', name: 'b.example.org', replicas: 1 },
];

/** Two more homes, which the experiment `sharing` puts on the same Postgres, NATS and Redis. */
export const sharingHomes: readonly ClusterHome[] = [
  { release: 'home-c', name: 'c.example.org', replicas: 2 },
  { release: 'home-d', name: 'd.example.org', replicas: 1 },
];

/** The address of an experiment's webhooks: https under this name reaches this port of the machine. */
export const hooks = { name: 'hooks.example.org', port: 8099 };

/** All names that https resolves inside the cluster. */
export const worldHomes = [...homes, ...sharingHomes];
export const worldNames = [...worldHomes, hooks].map(({ name }) => name);

export type Inside = (program: readonly string[], input?: string) => string;

const unlimited = { unclaimed: null, anyone: null };
const limits = {
  writes_a_minute: unlimited,
  reads_a_minute: unlimited,
  sign_ups_an_hour: null,
  messages_to_strangers_a_day: { unclaimed: null },
  open_waits: { unclaimed: null },
};

const local = (name: string) => ({ repository: `localhost/${name}`, tag: '1' });

/** A home's values in this cluster: the chart's own, except for locally built images. */
export const valuesOf = ({ name, replicas }: ClusterHome) => ({
  home: { name, settings: { HEARTH_LIMITS: JSON.stringify(limits) } },
  authorities: { existingSecret: { name: 'authorities' } },
  embedded: { postgres: local('postgres'), nats: local('nats'), redis: local('redis') },
  defaults: {
    replicas,
    resources: { requests: { cpu: '10m', memory: '96Mi' }, limits: { memory: '384Mi' } },
  },
});

export const chart = join(root, 'deploy', 'helm', 'hearth');

/**
 * Installs a home into a namespace that admits only restricted pods, and waits until it serves. `more` are further
 * values, `secrets` the Secrets that they name.
 */
export function install(
  home: ClusterHome,
  inside: Inside,
  more: object = {},
  secrets: Record<string, Record<string, string>> = {},
): void {
  const { release } = home;
  const enforce = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const authority = readFileSync(join(state, 'pki', 'ca.crt'), 'utf8');
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: release, labels: enforce } },
    ...Object.entries({ authorities: { 'ca.crt': authority }, ...secrets }).map(([name, stringData]) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: release },
      stringData,
    })),
  ];
  inside(['kubectl', 'apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const helm = ['helm', 'upgrade', '--install', release, chart, '--namespace', release, '--values', '-'];
  inside([...helm, '--wait', '--timeout', '8m'], JSON.stringify({ ...valuesOf(home), ...more }));
}
