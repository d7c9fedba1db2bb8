import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Everything that is built and run: HEARTH_CLUSTER, which may be outside the project, so that builds outlive a
 * checkout.
 */
export const folder = resolve(process.env['HEARTH_CLUSTER'] ?? join(root, '.cache', 'cluster'));
export const programs = join(folder, 'bin');
export const images = join(folder, 'images');
/** Everything that a running cluster writes; `down` removes it. */
export const state = join(folder, 'state');
export const kubeconfig = (name: string) => join(state, 'pki', `${name}.kubeconfig`);

/** CPU weight of each node relative to the rest of the machine, where 1024 is the weight of one process. */
export const shares = Number(process.env['HEARTH_CLUSTER_SHARES'] ?? 4096);

/** Addresses in the cluster's own network, which has no route out. */
export const host = '10.90.0.1';
export const addressOf = (node: number) => `10.90.0.${10 + node}`;
export const podNetwork = '10.91.0.0/16';
export const podPrefix = (node: number) => `10.91.${node}.`;
export const serviceNetwork = '10.92.0.0/16';
export const apiService = '10.92.0.1';
export const dnsService = '10.92.0.10';
export const nodeName = (node: number) => `node${node}`;

/** The controllers of cgroups version 1: each node has a folder in all of them. */
export const controllers = [
  'cpu',
  'cpuacct',
  'cpuset',
  'memory',
  'devices',
  'freezer',
  'blkio',
  'pids',
  'systemd',
] as const;
