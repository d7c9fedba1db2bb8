interface Panel {
  title: string;
  /** PromQL expressions and the legends of their lines. */
  lines: readonly [expression: string, legend: string][];
  unit: 's' | 'reqps' | 'short' | 'percentunit';
}

const rate = (series: string, by: string, more = '') =>
  `sum by (${by}) (rate(${series}{HOME${more}}[$__rate_interval]))`;
const spread = (series: string, more = ''): Panel['lines'] =>
  [0.5, 0.95, 0.99].map((share) => [
    `histogram_quantile(${share}, sum by (le) (rate(${series}_bucket{HOME${more}}[$__rate_interval])))`,
    `p${share * 100}`,
  ]);

const errors = ',http_response_status_code=~"5.."';
const home: Panel[] = [
  {
    title: 'Requests by operation',
    unit: 'reqps',
    lines: [[rate('http_server_request_duration_count', 'hearth_operation'), '{{hearth_operation}}']],
  },
  {
    title: 'Requests by status',
    unit: 'reqps',
    lines: [
      [
        rate('http_server_request_duration_count', 'http_response_status_code'),
        '{{http_response_status_code}}',
      ],
    ],
  },
  {
    title: 'Share of sends that fail (objective 0.1 %)',
    unit: 'percentunit',
    lines: [
      [
        `sum(rate(http_server_request_duration_count{HOME,hearth_operation="send_message"${errors}}[$__rate_interval])) / sum(rate(http_server_request_duration_count{HOME,hearth_operation="send_message"}[$__rate_interval]))`,
        'failed',
      ],
    ],
  },
  { title: 'Duration of requests', unit: 's', lines: spread('http_server_request_duration') },
  {
    title: 'Held requests',
    unit: 'short',
    lines: [['sum by (app_kubernetes_io_component) (hearth_holds_active{HOME})', 'held']],
  },
  { title: 'Wake to answer (objective p99 below 1 s)', unit: 's', lines: spread('hearth_wake_duration') },
  {
    title: 'Ends of holds',
    unit: 'reqps',
    lines: [[rate('hearth_hold_duration_count', 'hearth_outcome'), '{{hearth_outcome}}']],
  },
  {
    title: 'AIs that signed up and were claimed',
    unit: 'reqps',
    lines: [
      [rate('hearth_ai_sign_ups_total', 'job'), 'sign-ups'],
      [rate('hearth_ai_claims_total', 'job'), 'claims'],
    ],
  },
];
const parts: Panel[] = [
  {
    title: 'Calls between services',
    unit: 'reqps',
    lines: [
      [
        rate('rpc_server_call_duration_count', 'app_kubernetes_io_component'),
        '{{app_kubernetes_io_component}}',
      ],
    ],
  },
  {
    title: 'Calls that fail',
    unit: 'reqps',
    lines: [
      [
        rate(
          'rpc_server_call_duration_count',
          'app_kubernetes_io_component, rpc_status_code',
          ',rpc_status_code=~"INTERNAL|UNAVAILABLE|DEADLINE_EXCEEDED"',
        ),
        '{{app_kubernetes_io_component}} {{rpc_status_code}}',
      ],
    ],
  },
  { title: 'Duration of calls', unit: 's', lines: spread('rpc_server_call_duration') },
  { title: 'Wait for a connection to Postgres', unit: 's', lines: spread('db_client_connection_wait_time') },
  {
    title: 'Age of the oldest event that is not published',
    unit: 's',
    lines: [['max by (hearth_service) (hearth_outbox_lag{HOME})', '{{hearth_service}}']],
  },
  {
    title: 'Events that are set aside',
    unit: 'short',
    lines: [['max by (hearth_service) (hearth_outbox_set_aside{HOME})', '{{hearth_service}}']],
  },
  { title: 'Time of consumers', unit: 's', lines: spread('messaging_process_duration') },
  {
    title: 'Messages of others on the bus',
    unit: 'reqps',
    lines: [
      [
        rate('hearth_bus_foreign_messages_total', 'app_kubernetes_io_component'),
        '{{app_kubernetes_io_component}}',
      ],
    ],
  },
];
const outside: Panel[] = [
  {
    title: 'Attempts to deliver, by outcome',
    unit: 'reqps',
    lines: [[rate('hearth_delivery_attempts_total', 'hearth_outcome'), '{{hearth_outcome}}']],
  },
  { title: 'Duration of attempts', unit: 's', lines: spread('hearth_delivery_duration') },
  {
    title: 'Attempts in flight',
    unit: 'short',
    lines: [['sum(hearth_delivery_in_flight{HOME})', 'in flight']],
  },
  { title: 'From the event to the first attempt', unit: 's', lines: spread('hearth_delivery_lag') },
  {
    title: 'Mails, by outcome',
    unit: 'reqps',
    lines: [[rate('hearth_delivery_mails_total', 'hearth_outcome'), '{{hearth_outcome}}']],
  },
  { title: 'Requests to addresses of others', unit: 's', lines: spread('http_client_request_duration') },
];
const eachHome = '{{hearth_home}}';
const homes: Panel[] = [
  {
    title: 'Items that wait to be sent, by home',
    unit: 'short',
    lines: [['max by (hearth_home) (hearth_home_unsent{HOME})', eachHome]],
  },
  {
    title: 'Time since which a home takes nothing',
    unit: 's',
    lines: [['max by (hearth_home) (hearth_home_failing{HOME})', eachHome]],
  },
  {
    title: 'Items that homes took, by home',
    unit: 'reqps',
    lines: [[rate('hearth_home_items_total', 'hearth_home', ',hearth_direction="sent"'), eachHome]],
  },
  {
    title: 'Items that came, by home',
    unit: 'reqps',
    lines: [[rate('hearth_home_items_total', 'hearth_home', ',hearth_direction="received"'), eachHome]],
  },
  {
    title: 'Items by direction and outcome',
    unit: 'reqps',
    lines: [
      [
        rate('hearth_home_items_total', 'hearth_direction, hearth_outcome'),
        '{{hearth_direction}} {{hearth_outcome}}',
      ],
    ],
  },
  {
    title: 'Pushes to homes, by outcome',
    unit: 'reqps',
    lines: [
      [rate('hearth_delivery_attempts_total', 'hearth_outcome', ',hearth_kind="home"'), '{{hearth_outcome}}'],
    ],
  },
];

/** Grafana dashboards by file name. */
export const dashboards: Record<string, object> = {
  'home.json': dashboard('hearth-home', 'Hearth: what callers see', home),
  'services.json': dashboard('hearth-services', 'Hearth: services, bus and database', parts),
  'deliveries.json': dashboard('hearth-deliveries', 'Hearth: what leaves the home', outside),
  'homes.json': dashboard('hearth-homes', 'Hearth: other homes', homes),
};

function dashboard(uid: string, title: string, panels: readonly Panel[]): object {
  const source = { type: 'prometheus', uid: '$datasource' };
  const select = 'namespace="$namespace",app_kubernetes_io_instance="$home"';
  const variable = (name: string, query: string) => ({
    name,
    type: 'query',
    datasource: source,
    query,
    refresh: 2,
    sort: 1,
  });
  return {
    uid,
    title,
    tags: ['hearth'],
    schemaVersion: 41,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus' },
        variable('namespace', 'label_values(up{app_kubernetes_io_component="gateway"}, namespace)'),
        variable('home', 'label_values(up{namespace="$namespace"}, app_kubernetes_io_instance)'),
      ],
    },
    panels: panels.map(({ title: words, lines, unit }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: words,
      datasource: source,
      gridPos: { x: (index % 2) * 12, y: Math.floor(index / 2) * 8, w: 12, h: 8 },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: lines.map(([expression, legendFormat], line) => ({
        refId: String.fromCharCode(65 + line),
        expr: expression.replaceAll('HOME', select),
        legendFormat,
      })),
    })),
  };
}
