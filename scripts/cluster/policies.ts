// policies.ts <prefix of the pods of this node, "10.91.1.">
//
// Enforces NetworkPolicies (networking.k8s.io/v1) for one node's pods with iptables, in the node's network namespace.
// Watches pods, namespaces and policies, and writes two chains for each selected pod: egress and ingress. The kubelet's
// probes always arrive, as the API says. A pod is unrestricted until its address is known here, for some tens of
// milliseconds. Refusals are rejected rather than dropped, so that tests need not wait.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { kubeconfig } from './settings.ts';

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}
interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  podSelector?: Selector;
  namespaceSelector?: Selector;
}
interface Port {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: Port[];
}
interface Policy {
  podSelector: Selector;
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}
/** The watched fields of a pod, namespace or policy. */
interface Item {
  uid: string;
  name: string;
  namespace: string;
  labels: Record<string, string>;
  address?: string;
  ports: { name?: string; protocol?: string; containerPort: number }[];
  policy: Policy;
}

const [prefix = ''] = process.argv.slice(2);
const { clusters, users } = JSON.parse(readFileSync(kubeconfig('admin'), 'utf8'));
const read = (file: string) => readFileSync(file);
const agent = new Agent({
  ca: read(clusters[0].cluster['certificate-authority']),
  cert: read(users[0].user['client-certificate']),
  key: read(users[0].user['client-key']),
  keepAlive: true,
});
const paths = {
  pods: '/api/v1/pods',
  namespaces: '/api/v1/namespaces',
  policies: '/apis/networking.k8s.io/v1/networkpolicies',
};
type Kind = keyof typeof paths;
const kinds = Object.keys(paths) as Kind[];
const known = new Map(kinds.map((kind) => [kind, new Map<string, Item>()]));
const items = (kind: Kind) => [...(known.get(kind)?.values() ?? [])];
const synced = new Set<Kind>();
let isDue = false;
let written = '';

const open = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const take = (answer: IncomingMessage) =>
      answer.statusCode === 200 ? resolve(answer) : reject(new Error(`${path}: ${answer.statusCode}`));
    get(clusters[0].cluster.server + path, { agent }, take).on('error', reject);
  });

// biome-ignore lint/suspicious/noExplicitAny: objects of the API, of which toItem takes what it needs.
type Resource = any;

function toItem({ metadata, spec, status }: Resource): Item {
  const isGone = ['Succeeded', 'Failed'].includes(status?.phase);
  return {
    uid: metadata.uid,
    name: metadata.name,
    namespace: metadata.namespace,
    labels: metadata.labels ?? {},
    address: isGone || spec?.hostNetwork ? undefined : status?.podIP,
    ports: spec?.containers?.flatMap(({ ports = [] }: Resource) => ports) ?? [],
    policy: spec,
  };
}

async function follow(kind: Kind): Promise<void> {
  let text = '';
  for await (const chunk of await open(paths[kind])) text += chunk;
  const list = JSON.parse(text);
  known.set(kind, new Map(list.items.map((item: Resource) => [item.metadata.uid, toItem(item)])));
  synced.add(kind);
  soon();
  let rest = '';
  for await (const chunk of await open(
    `${paths[kind]}?watch=1&resourceVersion=${list.metadata.resourceVersion}`,
  )) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line);
      if (type === 'ERROR') throw new Error(object.message);
      if (type === 'DELETED') known.get(kind)?.delete(object.metadata.uid);
      else known.get(kind)?.set(object.metadata.uid, toItem(object));
    }
    soon();
  }
}

function soon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    if (synced.size === kinds.length) write();
  }, 20);
}

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Item['labels']): boolean {
  const holds = ({ key, operator, values = [] }: { key: string; operator: string; values?: string[] }) => {
    if (operator === 'Exists') return key in labels;
    if (operator === 'DoesNotExist') return !(key in labels);
    return (operator === 'In') === values.includes(labels[key] ?? '');
  };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(holds)
  );
}

interface Address {
  network: string;
  except: string[];
  pod?: Item;
}

function addressesOf(peers: Peer[] | undefined, namespace: string): Address[] {
  if (!peers?.length) return [{ network: '0.0.0.0/0', except: [] }];
  return peers.flatMap(({ ipBlock, podSelector, namespaceSelector }) => {
    if (ipBlock)
      return ipBlock.cidr.includes(':') ? [] : [{ network: ipBlock.cidr, except: ipBlock.except ?? [] }];
    const isOf = (pod: Item) =>
      namespaceSelector
        ? items('namespaces').some(
            ({ name, labels }) => name === pod.namespace && matches(namespaceSelector, labels),
          )
        : pod.namespace === namespace;
    return items('pods').flatMap((pod) =>
      pod.address && isOf(pod) && matches(podSelector ?? {}, pod.labels)
        ? [{ network: pod.address, except: [], pod }]
        : [],
    );
  });
}

/** iptables matches for a rule's ports; a named port is the receiving pod's. */
function portsOf(list: Port[] | undefined, receiver: Item | undefined): string[] {
  if (!list?.length) return [''];
  return list.flatMap(({ protocol = 'TCP', port, endPort }) => {
    const match = `-p ${protocol.toLowerCase()}`;
    if (port === undefined) return [match];
    const number =
      typeof port === 'number' ? port : receiver?.ports.find(({ name }) => name === port)?.containerPort;
    return number === undefined ? [] : [`${match} --dport ${endPort ? `${number}:${endPort}` : number}`];
  });
}

const nameOf = (kind: string, of: string) =>
  `NP-${kind}-${createHash('sha1').update(of).digest('hex').slice(0, 16)}`;

/** A pod's chain for what it sends (E) or receives (I); empty if no policy covers that. */
function chainOf(
  pod: Item,
  isEgress: boolean,
): { name: string; others: string[]; lines: string[] } | undefined {
  const policies = items('policies').filter(
    ({ namespace, policy }) =>
      namespace === pod.namespace &&
      policy.policyTypes.includes(isEgress ? 'Egress' : 'Ingress') &&
      matches(policy.podSelector, pod.labels),
  );
  if (policies.length === 0) return undefined;
  const name = nameOf(isEgress ? 'E' : 'I', pod.uid);
  const [peerFlag, others] = [isEgress ? '-d' : '-s', new Set<string>()];
  const lines = new Set<string>();
  for (const { policy } of policies) {
    for (const rule of (isEgress ? policy.egress : policy.ingress) ?? []) {
      for (const { network, except, pod: other } of addressesOf(
        isEgress ? rule.to : rule.from,
        pod.namespace,
      )) {
        for (const port of portsOf(rule.ports, isEgress ? other : pod)) {
          if (except.length === 0) lines.add(`-A ${name} ${peerFlag} ${network} ${port} -j RETURN`);
          else {
            // A separate chain marks traffic outside all exceptions.
            const marks = nameOf('X', name + network + except + port);
            others.add(marks);
            for (const inner of except) lines.add(`-A ${marks} ${peerFlag} ${inner} -j RETURN`);
            lines.add(`-A ${marks} -j MARK --set-xmark 0x100000/0x100000`);
            lines.add(`-A ${name} -j MARK --set-xmark 0x0/0x100000 -m comment --comment ${marks}`);
            lines.add(`-A ${name} ${peerFlag} ${network} ${port} -j ${marks}`);
            lines.add(`-A ${name} -m mark --mark 0x100000/0x100000 -j RETURN -m comment --comment ${marks}`);
          }
        }
      }
    }
  }
  lines.add(`-A ${name} -j REJECT --reject-with icmp-admin-prohibited`);
  return { name, others: [...others], lines: [...lines] };
}

function write(): void {
  const main: string[] = [];
  const chains: string[] = [];
  const rules: string[] = [];
  for (const pod of items('pods')) {
    if (!pod.address?.startsWith(prefix)) continue;
    for (const isEgress of [true, false]) {
      const chain = chainOf(pod, isEgress);
      if (chain === undefined) continue;
      chains.push(chain.name, ...chain.others);
      rules.push(...chain.lines);
      main.push(`-A NP-MAIN ${isEgress ? '-s' : '-d'} ${pod.address} -j ${chain.name}`);
      if (isEgress) main.push(`-A NP-LOCAL -s ${pod.address} -j ${chain.name}`);
    }
  }
  const answers = ['NP-MAIN', 'NP-LOCAL'].map(
    (chain) => `-A ${chain} -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN`,
  );
  const declared = ['NP-MAIN', 'NP-LOCAL', ...chains].map((chain) => `:${chain} - [0:0]`);
  const table = ['*filter', ...declared, ...answers, ...main, ...rules, 'COMMIT', ''].join('\n');
  if (table === written) return;
  restore(table);
  for (const [hook, chain] of [
    ['FORWARD', 'NP-MAIN'],
    ['INPUT', 'NP-LOCAL'],
  ] as const)
    if (!succeeds('-C', hook, chain)) execFileSync('iptables', ['-w', '-I', hook, '1', '-j', chain]);
  const gone = [...new Set(written.match(/(?<=^:)NP-[EIX]-[0-9a-f]{16}/gm))].filter(
    (chain) => !chains.includes(chain),
  );
  if (gone.length > 0)
    restore(
      [
        '*filter',
        ...gone.map((chain) => `:${chain} - [0:0]`),
        ...gone.map((chain) => `-X ${chain}`),
        'COMMIT',
        '',
      ].join('\n'),
    );
  written = table;
  console.log(`${chains.length} chains, ${rules.length} rules`);
}

const restore = (input: string) => execFileSync('iptables-restore', ['--noflush', '--wait'], { input });

function succeeds(flag: string, hook: string, chain: string): boolean {
  try {
    execFileSync('iptables', ['-w', flag, hook, '-j', chain], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

await Promise.all(
  kinds.map(async (kind) => {
    for (;;) {
      await follow(kind).catch((error) => console.log(`${kind}: ${error.message}`));
      await sleep(500);
    }
  }),
);
