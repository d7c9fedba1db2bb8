import { heapBounds } from '../with-node/heap-bounds.mjs';
import { flag, group, oneOf, override, pairs, piece, text, texts, type Value, whole } from './value.ts';

/** The services of a home, the gateway first: it alone has HTTP, the others gRPC. */
export const serviceNames = [
  'gateway',
  'identity',
  'groups',
  'decisions',
  'approvals',
  'messages',
  'federation',
  'delivery',
] as const;

const resources = (requests: object, limits: object): Value =>
  piece('Requests and limits of the container.', { requests, limits });

const existingSecret = (what: string, key: string): Value =>
  group(`A Secret of yours that has ${what}.`, {
    name: text('Its name; empty for none.'),
    key: text('The key in it.', key),
  });

const image = (repository: string, tag: string): Record<string, Value> => ({
  repository: text('Registry and name.', repository),
  tag: text('Tag of the image.', tag),
});

/** Settings of one service, and what they are where nothing else is said. */
const service = {
  replicas: whole('Pods. Two or more, or a restart is an outage.', 2, 1, 1000),
  resources: resources({ cpu: '50m', memory: '160Mi' }, { memory: '384Mi' }),
  autoscaling: group('Pods by load, in place of `replicas`.', {
    enabled: flag('A HorizontalPodAutoscaler (or with `keda.enabled` a ScaledObject).', false),
    minReplicas: whole('Fewest pods.', 2, 1, 1000),
    maxReplicas: whole('Most pods.', 6, 1, 1000),
    cpuPercent: whole('CPU that is aimed at, of the request.', 70, 1, 1000),
  }),
  maxUnavailable: whole('Pods that a drain of nodes may take away at once (PodDisruptionBudget).', 1, 0, 100),
  minReadySeconds: whole('How long a new pod must be ready before the next is replaced.', 2, 0, 600),
  preStopSeconds: whole(
    'How long a pod goes on after it was taken out of its Service, so that no one is sent to it any more.',
    5,
    0,
    60,
  ),
  terminationGracePeriodSeconds: whole(
    'The end of a stop by force. Above `preStopSeconds` and the 25 s in which a home ends its work.',
    45,
    30,
    600,
  ),
  podAnnotations: pairs('Further annotations of pods.'),
  podLabels: pairs('Further labels of pods.'),
  nodeSelector: pairs('Nodes that pods may run on, by label.'),
  tolerations: piece('Taints that pods tolerate.', []),
  affinity: piece('Affinity of pods.'),
  topologyKeys: texts('Labels of nodes over whose values pods are spread.', [
    'kubernetes.io/hostname',
    'topology.kubernetes.io/zone',
  ]),
  priorityClassName: text('PriorityClass of pods.'),
};

const dnsName = '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$';

/** Every value of deploy/helm/hearth. */
export const values: Record<string, Value> = {
  nameOverride: text('Takes the place of `hearth` in names of resources.'),
  fullnameOverride: text('Takes the place of the release in names of resources.'),
  mode: oneOf(
    '`split`: each service apart, on Postgres and NATS. `single`: one pod that is a whole home with its own Postgres on a volume.',
    ['split', 'single'],
    'split',
  ),
  home: group('The home.', {
    name: text(
      'Its name, which stands in every address of it. Choose it once: it stays for good.',
      'home.example',
      dnsName,
    ),
    siteUrl: text('How others reach it. `https://<home.name>` when empty.', '', '^(https?://[^/]+)?$'),
    hosts: texts('Further names under which requests may come, beside the site and the Service.'),
    trustedProxies: texts(
      'Proxies in front, as HEARTH_TRUSTED_PROXIES has them. `uniquelocal` takes all private networks.',
      ['uniquelocal'],
    ),
    nodeOptions: text(
      'NODE_OPTIONS of each service, which bounds its memory below the limit of its container (`mode: split`).',
      '--max-semi-space-size=2 --max-old-space-size=256 --v8-pool-size=0',
    ),
    settings: pairs('Other variables of docs/operators/settings.md, such as HEARTH_LIMITS. No secrets.'),
    extraEnv: piece('Further variables of every container, as Kubernetes has them (`valueFrom` too).', []),
  }),
  image: group('The image that `npm run image` makes.', {
    repository: text('Registry and name.', 'localhost/hearth'),
    tag: text('Tag; the version of the chart when empty.'),
    digest: text('Digest, which counts before the tag.', '', '^(sha256:[0-9a-f]{64})?$'),
    pullPolicy: oneOf('When it is pulled.', ['IfNotPresent', 'Always', 'Never'], 'IfNotPresent'),
    pullSecrets: piece('Secrets of the registry.', []),
  }),
  secrets: group('HEARTH_SEAL_KEY, HEARTH_PEER_SECRET and HEARTH_OPERATOR_KEY.', {
    existing: text(
      'A Secret of yours that has them. When empty a Job makes one, once; it is never changed, and stays when the release goes.',
    ),
  }),
  database: group('Your Postgres, in place of the small one.', {
    existingSecret: existingSecret('its URL, as CloudNativePG writes one', 'uri'),
  }),
  nats: group('Your NATS with JetStream, in place of the small one.', {
    url: text('Its URL, without credentials.', '', '^((nats|tls|ws|wss)://.+)?$'),
    existingSecret: existingSecret('its URL', 'url'),
  }),
  redis: group('Your Redis or Valkey, in place of the small one.', {
    url: text('Its URL, without credentials.', '', '^(rediss?://.+)?$'),
    existingSecret: existingSecret('its URL', 'url'),
  }),
  smtp: group('The mail server.', { existingSecret: existingSecret('SMTP_URL', 'url') }),
  embedded: group('Small Postgres, NATS and Redis for trials: one pod each, no replicas, no backups.', {
    enabled: flag('Brings each of the three that is not given above.', true),
    storageClass: text('StorageClass of their volumes; the default one of the cluster when empty.'),
    postgres: group('The small Postgres.', {
      ...image('docker.io/library/postgres', '18-alpine'),
      user: whole('User and group that the image knows as `postgres`.', 70, 1, 65535),
      storage: text('Size of its volume.', '8Gi'),
      resources: resources({ cpu: '50m', memory: '128Mi' }, { memory: '512Mi' }),
    }),
    nats: group('The small NATS.', {
      ...image('docker.io/library/nats', '2.14-alpine'),
      user: whole('User and group that it runs as.', 1000, 1, 65535),
      storage: text('Size of its volume.', '4Gi'),
      resources: resources({ cpu: '20m', memory: '32Mi' }, { memory: '256Mi' }),
    }),
    redis: group('The small Redis, or Valkey.', {
      ...image('docker.io/valkey/valkey', '9-alpine'),
      user: whole('User and group that it runs as.', 999, 1, 65535),
      resources: resources({ cpu: '20m', memory: '32Mi' }, { memory: '256Mi' }),
    }),
  }),
  authorities: group(
    'Authorities of certificates that are trusted beside those that Node knows, as of your Postgres or of your network.',
    { existingSecret: existingSecret('them as PEM', 'ca.crt') },
  ),
  tls: group('Mutual TLS between the services (`mode: split`).', {
    enabled: flag(
      'Each shows the certificate of its Secret `<prefix>-<service>-tls`, as cert-manager writes it: tls.crt, tls.key, ca.crt.',
      false,
    ),
    secretPrefix: text(
      'Beginning of the names of these Secrets; the name of the release and chart when empty.',
    ),
  }),
  migrations: group('What prepares the database.', {
    mode: oneOf(
      '`start`: each service at its start. `job`: a Job beside them. `hook`: a Job before an install or upgrade goes on, for a database that is there already.',
      ['start', 'job', 'hook'],
      'job',
    ),
    resources: resources({ cpu: '50m', memory: '160Mi' }, { memory: '384Mi' }),
  }),
  defaults: group('Settings of every service where `services` has none.', service),
  services: group(
    'Settings of one service, each as in `defaults`.',
    Object.fromEntries(
      serviceNames.map((name) => [name, override(`Settings of ${name} that differ.`, service)]),
    ),
  ),
  single: group('The pod of `mode: single`.', {
    storage: text('Size of its volume.', '10Gi'),
    storageClass: text('StorageClass of its volume; the default one of the cluster when empty.'),
    existingClaim: text('A PersistentVolumeClaim of yours in its place.'),
    nodeOptions: text(
      'NODE_OPTIONS of it: what they bound has room beside its Postgres below the limit of the container.',
      heapBounds('home'),
    ),
    resources: resources({ cpu: '100m', memory: '384Mi' }, { memory: '1Gi' }),
  }),
  service: group('The Service of the gateway.', {
    type: oneOf('Its type.', ['ClusterIP', 'NodePort', 'LoadBalancer'], 'ClusterIP'),
    port: whole('Its port.', 8080, 1, 65535),
    annotations: pairs('Its annotations.'),
  }),
  ingress: group('An Ingress.', {
    enabled: flag('Whether there is one.', false),
    className: text('IngressClass.'),
    annotations: pairs('Its annotations. Let the proxy wait longer than 60 s.'),
    tlsSecret: text('The Secret of its certificate; without one it speaks plain HTTP.'),
  }),
  gatewayApi: group('An HTTPRoute of the Gateway API.', {
    enabled: flag('Whether there is one.', false),
    parentRefs: piece('The Gateways that it belongs to.', []),
    timeout: text('How long a request may take; above the longest wait of 30 s.', '90s'),
  }),
  networkPolicy: group(
    'Who may reach whom. Without rules of a network plug-in that enforces them nothing is held.',
    {
      enabled: flag('Denies all, and lets through what a home needs.', true),
      gatewayFrom: piece(
        'Who may reach the gateway at 8080 (peers of a NetworkPolicy), as your ingress controller; everyone when empty.',
        [],
      ),
      metricsFrom: piece('Who may read metrics at 9464; every pod of the cluster when empty.', []),
      dnsTo: piece('Where names are asked for.', [
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
          podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
        },
      ]),
      apiServerTo: piece(
        'Where the API of the cluster is (peers of a NetworkPolicy), for the Job that makes secrets; any address at 443 and 6443 when empty. No Job runs with `secrets.existing`.',
        [],
      ),
      dataTo: piece(
        'Rules of egress to your Postgres, NATS and Redis. When empty: pods of the cluster and `nearNetworks`, at 5432, 4222 and 6379, for each server that you bring.',
        [],
      ),
      mailTo: piece(
        'Rules of egress of delivery to your mail server; any address at 25, 465 and 587 when empty, and none without `smtp.existingSecret`.',
        [],
      ),
      telemetryTo: piece(
        'Rules of egress to your collector. When empty: pods of the cluster and `nearNetworks`, at 4317 and 4318.',
        [],
      ),
      nearNetworks: texts(
        'Networks of your data servers and your collector, where `dataTo` and `telemetryTo` name none.',
        ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
      ),
      worldPorts: piece('Ports of the world that deliveries, fetches and other homes are reached at.', [443]),
      worldTo: piece(
        'Peers within private networks that these may reach too, as another home of the cluster at its address.',
        [],
      ),
      privateNetworks: texts('Networks that they may never reach.', [
        '0.0.0.0/8',
        '10.0.0.0/8',
        '100.64.0.0/10',
        '127.0.0.0/8',
        '169.254.0.0/16',
        '172.16.0.0/12',
        '192.0.0.0/24',
        '192.168.0.0/16',
        '198.18.0.0/15',
        '224.0.0.0/4',
        '240.0.0.0/4',
      ]),
    },
  ),
  keda: group('ScaledObjects of KEDA in place of HorizontalPodAutoscalers.', {
    enabled: flag('For services with `autoscaling.enabled`.', false),
    prometheus: text(
      'Prometheus, by whose count of held requests the gateway is scaled; by CPU alone when empty.',
    ),
    heldRequests: whole('Held requests of one gateway that are aimed at.', 1000, 1, 1000000),
  }),
  metrics: group('Metrics for Prometheus.', {
    enabled: flag('Opens port 9464 with /metrics in every pod. Costs some 30 MB each.', false),
    podMonitor: group('A PodMonitor of the Prometheus operator.', {
      enabled: flag('Whether there is one.', false),
      interval: text('How often it looks.', '30s'),
      labels: pairs('Labels by which your Prometheus finds it.'),
    }),
    rules: group('A PrometheusRule with alerts.', {
      enabled: flag('Whether there is one.', false),
      labels: pairs('Labels by which your Prometheus finds it.'),
      runbooks: text('Where docs/kubernetes.md is to be read; alerts link to it.', 'docs/kubernetes.md'),
    }),
    dashboards: group('A ConfigMap with dashboards, for the sidecar of Grafana.', {
      enabled: flag('Whether there is one.', false),
      labels: pairs('Labels by which the sidecar finds it.', { grafana_dashboard: '1' }),
    }),
  }),
  otlp: group('Traces and metrics by OTLP.', {
    endpoint: text('OTEL_EXPORTER_OTLP_ENDPOINT; nothing is sent without.', '', '^(https?://.+)?$'),
    headers: existingSecret('OTEL_EXPORTER_OTLP_HEADERS', 'headers'),
  }),
};
