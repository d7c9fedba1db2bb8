import { dnsService, nodeName, state } from './settings.ts';

const labels = { 'k8s-app': 'kube-dns' };
const inSystem = (name: string) => ({ name, namespace: 'kube-system', labels });
const account = { kind: 'ServiceAccount', name: 'coredns', namespace: 'kube-system' };
const rbac = 'rbac.authorization.k8s.io';

/** The address of the test homes' names: not a private address, and without a route out of the cluster. */
export const worldAddress = '11.0.0.1';

/** No forwarding, because the cluster has no way out: every name except the homes' is NXDOMAIN at once. */
const corefile = (worldNames: readonly string[]) => `.:53 {
  errors
  health
  ready
  hosts {
    ${worldNames.map((name) => `${worldAddress} ${name}`).join('\n    ')}
    fallthrough
  }
  kubernetes cluster.local in-addr.arpa {
    ttl 5
    pods insecure
  }
  cache 5
  loop
  reload
}
`;

/** CoreDNS. The pod's own port must be 53: policies that allow DNS name port 53, and apply behind the Service. */
function names(worldNames: readonly string[]): object[] {
  const ports = [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
  ];
  const container = {
    name: 'coredns',
    image: 'localhost/coredns:1',
    args: ['-conf', '/etc/coredns/Corefile'],
    ports: ports.map(({ port, ...rest }) => ({ ...rest, containerPort: port })),
    readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
    resources: { requests: { cpu: '20m', memory: '32Mi' }, limits: { memory: '128Mi' } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
  };
  const pod = {
    serviceAccountName: 'coredns',
    tolerations: [{ operator: 'Exists' }],
    nodeSelector: { 'kubernetes.io/hostname': nodeName(1) },
    securityContext: {
      runAsUser: 65532,
      sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }],
    },
    containers: [container],
    volumes: [{ name: 'config', configMap: { name: 'coredns' } }],
  };
  const watch = { verbs: ['list', 'watch'] };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: inSystem('coredns') },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'coredns' },
      rules: [
        { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], ...watch },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], ...watch },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'coredns' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'coredns' },
      subjects: [account],
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: inSystem('coredns'),
      data: { Corefile: corefile(worldNames) },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: inSystem('coredns'),
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: pod },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: inSystem('kube-dns'),
      spec: { clusterIP: dnsService, selector: labels, ports },
    },
  ];
}

/** The folders of this cluster's volumes: on the first node, which no test takes away. */
export const volumeFolder = (index: number) => `${state}/volumes/${index}`;
export const volumeCount = 8;

function volumes(): object[] {
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'folders', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  const onFirst = { key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName(1)] };
  return [
    storageClass,
    ...Array.from({ length: volumeCount }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `folder-${index}` },
      spec: {
        storageClassName: 'folders',
        capacity: { storage: '16Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        local: { path: volumeFolder(index) },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [onFirst] }] } },
      },
    })),
  ];
}

/** Everything that a cluster has before a home is installed: DNS and volumes. */
export const system = (worldNames: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'List',
  items: [...names(worldNames), ...volumes()],
});
