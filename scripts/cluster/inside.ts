// The first process of the cluster's own network, mount, process, host name, message and cgroup namespaces: creates the
// network, starts the control plane and the nodes, and stays. When it is killed, the whole cluster ends with it.
// Started by `main.ts up`: inside.ts <nodes>
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { worldNames } from './homes.ts';
import { addressOf, controllers, host, kubeconfig, nodeName, serviceNetwork, state } from './settings.ts';
import { shell, stay } from './shell.ts';
import { worldAddress } from './system.ts';

const nodes = Array.from({ length: Number(process.argv[2]) }, (_, index) => index + 1);
for (const name of ['tmp', 'over', 'sysctl', 'etcd']) mkdirSync(join(state, name), { recursive: true });

// Private mounts: writes to the machine's folders go to `state` instead.
shell('mount --make-rprivate /; mount --make-rshared /');
for (const folder of ['/etc', '/var/lib', '/var/log', '/opt', '/usr/libexec'].filter((name) =>
  existsSync(name),
)) {
  const over = join(state, 'over', folder.replaceAll('/', '_'));
  shell(`mkdir -p ${over} ${over}.work
    mount -t overlay -o lowerdir=${folder},upperdir=${over},workdir=${over}.work overlay ${folder}`);
}
shell(
  'mount -t tmpfs run /run; mkdir -p /run/netns /run/lock; rm -f /etc/resolv.conf /etc/hosts; : > /etc/resolv.conf',
);
const names = [
  ...nodes.map((node) => `${addressOf(node)} ${nodeName(node)}`),
  ...worldNames.map((name) => `${worldAddress} ${name}`),
];
writeFileSync('/etc/hosts', `127.0.0.1 localhost\n${names.join('\n')}\n`);
shell('hostname cluster; mount -t tmpfs cgroup /sys/fs/cgroup');
for (const name of controllers)
  shell(`mkdir /sys/fs/cgroup/${name}
    mount -t cgroup -o ${name === 'systemd' ? 'none,name=systemd' : name} cgroup /sys/fs/cgroup/${name}`);

// A kubelet sets these for the whole machine. It finds the wanted values in files of ours, and the machine is
// unchanged.
const sysctls = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
};
for (const [name, value] of Object.entries(sysctls)) {
  const file = join(state, 'sysctl', name.replaceAll('/', '_'));
  writeFileSync(file, `${value}\n`);
  shell(`mount --bind ${file} /proc/sys/${name}`);
}

// A bridge that all nodes are on; the control plane and the tests are on the bridge itself, and reach Services through
// node 1.
shell(`ip link set lo up
  ip link add nodes type bridge; ip addr add ${host}/24 dev nodes; ip addr add ${worldAddress}/32 dev nodes; ip link set nodes up
  sysctl -qw net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=0
  ip route add ${serviceNetwork} via ${addressOf(1)}`);

const pki = join(state, 'pki');
stay('etcd', [
  ...[
    'etcd',
    '--data-dir',
    join(state, 'etcd'),
    '--unsafe-no-fsync',
    '--listen-client-urls',
    'http://127.0.0.1:2379',
  ],
  ...['--advertise-client-urls', 'http://127.0.0.1:2379', '--listen-peer-urls', 'http://127.0.0.1:2380'],
]);
stay('kube-apiserver', [
  ...['kube-apiserver', '--etcd-servers=http://127.0.0.1:2379', '--secure-port=6443', '--allow-privileged'],
  ...[
    `--bind-address=${host}`,
    `--advertise-address=${host}`,
    `--service-cluster-ip-range=${serviceNetwork}`,
  ],
  ...['--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction'],
  ...[
    `--client-ca-file=${pki}/ca.crt`,
    `--tls-cert-file=${pki}/apiserver.crt`,
    `--tls-private-key-file=${pki}/apiserver.key`,
  ],
  ...[
    `--service-account-key-file=${pki}/accounts.pub`,
    `--service-account-signing-key-file=${pki}/accounts.key`,
  ],
  '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
  ...['--kubelet-preferred-address-types=InternalIP', `--kubelet-certificate-authority=${pki}/ca.crt`],
  ...[`--kubelet-client-certificate=${pki}/admin.crt`, `--kubelet-client-key=${pki}/admin.key`],
]);
stay('kube-controller-manager', [
  ...[
    'kube-controller-manager',
    `--kubeconfig=${kubeconfig('kube-controller-manager')}`,
    '--leader-elect=false',
  ],
  ...['--use-service-account-credentials', '--allocate-node-cidrs=false', '--node-monitor-grace-period=16s'],
  ...[`--service-account-private-key-file=${pki}/accounts.key`, `--root-ca-file=${pki}/ca.crt`],
]);
stay('kube-scheduler', [
  'kube-scheduler',
  `--kubeconfig=${kubeconfig('kube-scheduler')}`,
  '--leader-elect=false',
]);
for (const node of nodes)
  spawn(process.execPath, [join(import.meta.dirname, 'node.ts'), String(node)], { stdio: 'inherit' });
stay('world', [process.execPath, '--no-warnings', join(import.meta.dirname, 'world.ts')]);
setInterval(() => {}, 1 << 30);
