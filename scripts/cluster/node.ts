// One node of the cluster: its own network namespace and cgroup, containerd, kubelet, kube-proxy, and the NetworkPolicy
// enforcer. Runs inside, and again after everything was killed: node.ts <number>
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importImages, socketOf } from './import-images.ts';
import {
  addressOf,
  controllers,
  dnsService,
  host,
  kubeconfig,
  nodeName,
  podNetwork,
  podPrefix,
  shares,
  state,
} from './settings.ts';
import { shell, stay } from './shell.ts';

const node = Number(process.argv[2]);
const name = nodeName(node);
const folder = join(state, name);
for (const part of ['containerd', 'cni', 'kubelet', 'addresses', 'pods'])
  mkdirSync(join(folder, part), { recursive: true });

// Each node has a link with two ends; the end in the node's namespace is its eth0.
if (!existsSync(`/run/netns/${name}`)) {
  const others = [1, 2, 3].filter((other) => other !== node);
  shell(`ip netns add ${name}
    ip link add name link${node} type veth peer name eth0 netns ${name}; ip link set link${node} master nodes up
    ip -n ${name} link set lo up; ip -n ${name} addr add ${addressOf(node)}/24 dev eth0
    ip -n ${name} link set eth0 up; ip -n ${name} route add default via ${host}
    ip netns exec ${name} sysctl -qw net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1
    ip route replace ${podPrefix(node)}0/24 via ${addressOf(node)}
    ${others.map((other) => `ip -n ${name} route add ${podPrefix(other)}0/24 via ${addressOf(other)}`).join('\n')}`);
}

// The whole node is in one cgroup, so that it can be killed at once. A new cpuset is empty and has to be filled first.
for (const controller of controllers) shell(`mkdir -p /sys/fs/cgroup/${controller}/${name}`);
for (const file of ['cpuset.cpus', 'cpuset.mems'])
  shell(`cat /sys/fs/cgroup/cpuset/${file} > /sys/fs/cgroup/cpuset/${name}/${file}`);
writeFileSync(`/sys/fs/cgroup/cpu/${name}/cpu.shares`, String(shares));
for (const controller of ['pids', 'memory', 'cpuacct']) {
  mkdirSync(`/sys/fs/cgroup/${controller}/${name}/daemons`, { recursive: true });
  writeFileSync(`/sys/fs/cgroup/${controller}/${name}/daemons/cgroup.procs`, String(process.pid));
}

const socket = socketOf(node);
// restrict_oom_score_adj: root without CAP_SYS_RESOURCE cannot lower its score.
writeFileSync(
  join(folder, 'containerd.toml'),
  `version = 2
root = "${folder}/containerd/root"
state = "${folder}/containerd/state"
[grpc]
  address = "${socket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder}/cni"
`,
);
// No masquerade: NetworkPolicies have to see the sender, also on the other node.
const pool = { type: 'host-local', dataDir: join(folder, 'addresses'), routes: [{ dst: '0.0.0.0/0' }] };
const bridge = { type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: false, hairpinMode: true };
const ipam = { ...pool, ranges: [[{ subnet: `${podPrefix(node)}0/24` }]] };
writeFileSync(
  join(folder, 'cni', '10-pods.conflist'),
  JSON.stringify({ cniVersion: '0.4.0', name: 'pods', plugins: [{ ...bridge, ipam }] }),
);
const pki = join(state, 'pki');
writeFileSync(
  join(folder, 'kubelet.json'),
  JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: `unix://${socket}`,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(pki, 'ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: join(pki, `${name}.crt`),
    tlsPrivateKeyFile: join(pki, `${name}.key`),
    failCgroupV1: false,
    cgroupRoot: `/${name}`,
    cgroupDriver: 'cgroupfs',
    enforceNodeAllocatable: ['pods'],
    failSwapOn: false,
    oomScoreAdj: 0,
    clusterDomain: 'cluster.local',
    clusterDNS: [dnsService],
    resolvConf: '/etc/resolv.conf',
    podLogsDir: join(folder, 'pods'),
    volumePluginDir: join(folder, 'kubelet', 'plugins'),
    evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    nodeStatusUpdateFrequency: '4s',
  }),
);

const within = ['nsenter', `--net=/run/netns/${name}`];
stay(`${name}-containerd`, ['containerd', '-c', join(folder, 'containerd.toml')], within);
const until = async (works: string) => {
  for (;;) {
    try {
      return shell(works);
    } catch {
      await sleep(200);
    }
  }
};
await until(`ctr -a ${socket} version`);
importImages(node, shell);
await until(`kubectl --kubeconfig=${kubeconfig('admin')} get --raw /readyz`);
stay(
  `${name}-kubelet`,
  [
    ...['kubelet', `--config=${join(folder, 'kubelet.json')}`, `--kubeconfig=${kubeconfig(name)}`],
    ...[
      `--hostname-override=${name}`,
      `--node-ip=${addressOf(node)}`,
      `--root-dir=${join(folder, 'kubelet')}`,
    ],
    `--node-labels=topology.kubernetes.io/zone=zone${node}`,
  ],
  within,
);
stay(
  `${name}-kube-proxy`,
  [
    ...[
      'kube-proxy',
      `--kubeconfig=${kubeconfig('kube-proxy')}`,
      '--proxy-mode=iptables',
      `--cluster-cidr=${podNetwork}`,
    ],
    ...[
      `--hostname-override=${name}`,
      '--conntrack-max-per-core=0',
      '--conntrack-min=0',
      '--oom-score-adj=0',
    ],
  ],
  within,
);
stay(
  `${name}-policies`,
  [process.execPath, join(import.meta.dirname, 'policies.ts'), podPrefix(node)],
  within,
);
