import { heapBounds } from '../with-node/heap-bounds.mjs';
import { flag, group, oneOf, override, pairs, piece, text, texts, type Value, whole } from './value.ts';

/** A home's services, the gateway first: only the gateway serves HTTP, the others gRPC. */
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
  group(`An existing Secret with ${what}.`, {
    name: text('Its name; empty: none.'),
    key: text('The key in the Secret.', key),
  });

const image = (repository: string, tag: string): Record<string, Value> => ({
  repository: text('Registry and image name.', repository),
  tag: text('Image tag.', tag),
});

/** The settings of one service, with their defaults. */
const service = {
  replicas: whole('Number of pods. With fewer than two, a restart is an outage.', 2, 1, 1000),
  resources: resources({ cpu: '50m', memory: '160Mi' }, { memory: '384Mi' }),
  autoscaling: group('Scales pods by load, instead of `replicas`.', {
    enabled: flag('Creates a HorizontalPodAutoscaler (or with `keda.enabled` a ScaledObject).', false),
    minReplicas: whole('Minimum number of pods.', 2, 1, 1000),
    maxReplicas: whole('Maximum number of pods.', 6, 1, 1000),
    cpuPercent: whole('Target CPU, in percent of the request.', 70, 1, 1000),
  }),
  maxUnavailable: whole(
    'How many pods may be unavailable while nodes are drained (PodDisruptionBudget).',
    1,
    0,
    100,
  ),
  minReadySeconds: whole(
    'How long a new pod must be ready before the next one is replaced, in seconds.',
    2,
    0,
    600,
  ),
  preStopSeconds: whole(
    'How long a pod keeps serving after it leaves its Service, in seconds, so that no request is still sent to it.',
    5,
    0,
    60,
  ),
  terminationGracePeriodSeconds: whole(
    'When a stopping pod is killed, in seconds. More than `preStopSeconds` plus the 25 s that a home needs to finish its work.',
    45,
    30,
    600,
  ),
  podAnnotations: pairs('Additional pod annotations.'),
  podLabels: pairs('Additional pod labels.'),
  nodeSelector: pairs('Node selector of the pods.'),
  tolerations: piece('Taints that the pods tolerate.', []),
  affinity: piece('Affinity of the pods.'),
  topologyKeys: texts('Node labels over which pods are spread.', [
    'kubernetes.io/hostname',
    'topology.kubernetes.io/zone',
  ]),
  priorityClassName: text('PriorityClass of the pods.'),
};

const dnsName = '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$';

/** All values of deploy/helm/hearth. */
export const values: Record<string, Value> = {
  nameOverride: text('Replaces `hearth` in resource names.'),
  fullnameOverride: text('Replaces the release name and `hearth` in resource names.'),
  mode: oneOf(
    '`split`: one Deployment for each service, with Postgres and NATS. `single`: the whole home in one pod, with its own Postgres on a volume.',
    ['split', 'single'],
    'split',
  ),
  home: group('The home.', {
    name: text('Its name, which is part of every address. It can never change.', 'home.example', dnsName),
    siteUrl: text('Its public URL. Empty: `https://<home.name>`.', '', '^(https?://[^/]+)?$'),
    hosts: texts('Additional hostnames that requests may use, besides the site and the Service.'),
    trustedProxies: texts(
      'Proxies in front, as in HEARTH_TRUSTED_PROXIES. `uniquelocal` trusts all private networks.',
      ['uniquelocal'],
    ),
    nodeOptions: text(
      'NODE_OPTIONS of each service, which keep its memory below its container limit (`mode: split`).',
      '--max-semi-space-size=2 --max-old-space-size=256 --v8-pool-size=0',
    ),
    settings: pairs('Other settings from docs/operators/settings.md, such as HEARTH_LIMITS. No secrets.'),
    catalogues: pairs(
      'ConfigMaps with the texts of additional languages, by language: `{"de": "hearth-de"}` (docs/operators/languages.md).',
    ),
    extraEnv: piece(
      'Additional environment variables of every container, in the Kubernetes format (including `valueFrom`).',
      [],
    ),
  }),
  image: group('The image built by `npm run image`.', {
    repository: text('Registry and image name.', 'localhost/hearth'),
    tag: text('Tag. Empty: the app version of the chart.'),
    digest: text('Digest; takes precedence over the tag.', '', '^(sha256:[0-9a-f]{64})?$'),
    pullPolicy: oneOf('Pull policy.', ['IfNotPresent', 'Always', 'Never'], 'IfNotPresent'),
    pullSecrets: piece('Pull secrets for the registry.', []),
  }),
  secrets: group('HEARTH_SEAL_KEY, HEARTH_PEER_SECRET and HEARTH_OPERATOR_KEY.', {
    existing: text(
      'An existing Secret with them. Empty: a Job creates one, once. It is never changed, and it is kept when the release is uninstalled.',
    ),
  }),
  database: group('Your Postgres, instead of the embedded one.', {
    existingSecret: existingSecret('its URL, as CloudNativePG writes one', 'uri'),
  }),
  nats: group('Your NATS with JetStream, instead of the embedded one.', {
    url: text('Its URL, without credentials.', '', '^((nats|tls|ws|wss)://.+)?$'),
    existingSecret: existingSecret('its URL', 'url'),
  }),
  redis: group('Your Redis or Valkey, instead of the embedded one.', {
    url: text('Its URL, without credentials.', '', '^(rediss?://.+)?$'),
    existingSecret: existingSecret('its URL', 'url'),
  }),
  smtp: group('The mail server.', { existingSecret: existingSecret('SMTP_URL', 'url') }),
  embedded: group('Small Postgres, NATS and Redis for trials: one pod each, no replicas, no backups.', {
    enabled: flag('Installs each of the three that is not set above.', true),
    storageClass: text('StorageClass of their volumes. Empty: the default of the cluster.'),
    postgres: group('The embedded Postgres.', {
      ...image('docker.io/library/postgres', '18-alpine'),
      user: whole('User and group id of `postgres` in the image.', 70, 1, 65535),
      storage: text('Size of its volume.', '8Gi'),
      resources: resources({ cpu: '50m', memory: '128Mi' }, { memory: '512Mi' }),
    }),
    nats: group('The embedded NATS.', {
      ...image('docker.io/library/nats', '2.14-alpine'),
      user: whole('User and group id that it runs as.', 1000, 1, 65535),
      storage: text('Size of its volume.', '4Gi'),
      resources: resources({ cpu: '20m', memory: '32Mi' }, { memory: '256Mi' }),
    }),
    redis: group('The embedded Redis or Valkey.', {
      ...image('docker.io/valkey/valkey', '9-alpine'),
      user: whole('User and group id that it runs as.', 999, 1, 65535),
      resources: resources({ cpu: '20m', memory: '32Mi' }, { memory: '256Mi' }),
    }),
  }),
  authorities: group(
    'Additional trusted certificate authorities, for example of your Postgres or your network.',
    { existingSecret: existingSecret('them as PEM', 'ca.crt') },
  ),
  tls: group('Mutual TLS between the services (`mode: split`).', {
    enabled: flag(
      'Each service uses the certificate in its Secret `<prefix>-<service>-tls`, in the format of cert-manager: tls.crt, tls.key, ca.crt.',
      false,
    ),
    secretPrefix: text('Name prefix of these Secrets. Empty: the full name of the release.'),
  }),
  migrations: group('How the database is prepared.', {
    mode: oneOf(
      '`start`: by each service when it starts. `job`: by a Job that runs at the same time. `hook`: by a Job before the install or upgrade, which needs an existing database.',
      ['start', 'job', 'hook'],
      'job',
    ),
    resources: resources({ cpu: '50m', memory: '160Mi' }, { memory: '384Mi' }),
  }),
  defaults: group('Settings of every service, unless `services` overrides them.', service),
  services: group(
    'Overrides of `defaults`, by service.',
    Object.fromEntries(serviceNames.map((name) => [name, override(`Overrides for ${name}.`, service)])),
  ),
  single: group('The pod of `mode: single`.', {
    storage: text('Size of its volume.', '10Gi'),
    storageClass: text('StorageClass of its volume. Empty: the default of the cluster.'),
    existingClaim: text('An existing PersistentVolumeClaim to use instead.'),
    nodeOptions: text(
      'Its NODE_OPTIONS, which leave room for its Postgres below the container limit.',
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
    enabled: flag('Whether to create it.', false),
    className: text('IngressClass.'),
    annotations: pairs('Its annotations. Set proxy timeouts to more than 60 s.'),
    tlsSecret: text('The Secret with its certificate. Empty: plain HTTP.'),
  }),
  gatewayApi: group('An HTTPRoute of the Gateway API.', {
    enabled: flag('Whether to create it.', false),
    parentRefs: piece('The Gateways that it is attached to.', []),
    timeout: text('Request timeout; more than the longest wait of 30 s.', '90s'),
  }),
  networkPolicy: group('NetworkPolicies. They have no effect without a network plug-in that enforces them.', {
    enabled: flag('Denies all traffic except what a home needs.', true),
    gatewayFrom: piece(
      'NetworkPolicy peers that may reach the gateway at 8080, such as your ingress controller. Empty: everyone.',
      [],
    ),
    metricsFrom: piece(
      'NetworkPolicy peers that may read metrics at 9464. Empty: every pod of the cluster.',
      [],
    ),
    dnsTo: piece('NetworkPolicy peers for DNS.', [
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
        podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
      },
    ]),
    apiServerTo: piece(
      'NetworkPolicy peers of the Kubernetes API, for the Job that creates secrets. Empty: any address at 443 and 6443. With `secrets.existing` there is no Job.',
      [],
    ),
    dataTo: piece(
      'Egress rules to your Postgres, NATS and Redis. Empty: pods of the cluster and `nearNetworks`, at 5432, 4222 and 6379, for each server of yours.',
      [],
    ),
    mailTo: piece(
      'Egress rules of delivery to your mail server. Empty: any address at 25, 465 and 587. Without `smtp.existingSecret`: none.',
      [],
    ),
    telemetryTo: piece(
      'Egress rules to your OpenTelemetry collector. Empty: pods of the cluster and `nearNetworks`, at 4317 and 4318.',
      [],
    ),
    nearNetworks: texts(
      'Networks of your data servers and collector, if `dataTo` or `telemetryTo` is empty.',
      ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
    ),
    worldPorts: piece('Public ports for deliveries, fetches and other homes.', [443]),
    worldTo: piece(
      'NetworkPolicy peers in private networks that these may also reach, such as another home in the cluster.',
      [],
    ),
    privateNetworks: texts('Networks that they can never reach.', [
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
  }),
  keda: group('KEDA ScaledObjects instead of HorizontalPodAutoscalers.', {
    enabled: flag('Creates them for services with `autoscaling.enabled`.', false),
    prometheus: text(
      'URL of the Prometheus whose count of held requests scales the gateway. Empty: only CPU.',
    ),
    heldRequests: whole('Target number of held requests per gateway.', 1000, 1, 1000000),
  }),
  metrics: group('Metrics for Prometheus.', {
    enabled: flag('Serves /metrics on port 9464 of every pod; costs about 30 MB each.', false),
    podMonitor: group('A PodMonitor for the Prometheus operator.', {
      enabled: flag('Whether to create it.', false),
      interval: text('Scrape interval.', '30s'),
      labels: pairs('Labels that your Prometheus selects.'),
    }),
    rules: group('A PrometheusRule with alerts.', {
      enabled: flag('Whether to create it.', false),
      labels: pairs('Labels that your Prometheus selects.'),
      runbooks: text('URL of docs/kubernetes.md, for links in alerts.', 'docs/kubernetes.md'),
    }),
    dashboards: group('A ConfigMap with dashboards for the Grafana sidecar.', {
      enabled: flag('Whether to create it.', false),
      labels: pairs('Labels that the sidecar selects.', { grafana_dashboard: '1' }),
    }),
  }),
  otlp: group('Traces and metrics over OTLP.', {
    endpoint: text('OTEL_EXPORTER_OTLP_ENDPOINT. Empty: nothing is sent.', '', '^(https?://.+)?$'),
    headers: existingSecret('OTEL_EXPORTER_OTLP_HEADERS', 'headers'),
  }),
};
