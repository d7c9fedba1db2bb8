import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureTools } from '../tools/ensure-tools.mjs';
import { findProgram } from '../tools/find-program.mjs';
import { programs, root } from './settings.ts';

const fromDebian: Record<string, string> = {
  containerd: 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  iptables: 'iptables',
  conntrack: 'conntrack',
  ip: 'iproute2',
  openssl: 'openssl',
  unshare: 'util-linux',
};

const kubernetes = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
];

/** Search path of the cluster's programs, its own first. */
export const path = [programs, join(root, '.cache', 'bin'), '/usr/sbin', '/sbin', process.env['PATH']].join(
  ':',
);

/** Reports what this machine lacks, then builds missing programs: half an hour the first time, nothing afterwards. */
export async function ensurePrograms(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error(
      'A cluster on this machine needs Linux and root: it makes namespaces, mounts and cgroups.',
    );
  if (!existsSync('/sys/fs/cgroup/memory'))
    throw new Error('A cluster on this machine needs cgroups of version 1, below /sys/fs/cgroup.');
  const missing = Object.keys(fromDebian).filter((name) => findProgram(name, path) === undefined);
  const packages = new Set(missing.map((name) => fromDebian[name]));
  if (!existsSync('/usr/lib/cni/bridge')) packages.add('containernetworking-plugins');
  if (packages.size > 0)
    throw new Error(`apt-get install -y --no-install-recommends ${[...packages].join(' ')}`);
  await ensureTools(['helm', 'nats-server', 'redis-server']);
  await ensureTools([...kubernetes, 'etcd', 'coredns', 'pause'], programs);
}
