/** An alert, whose runbook is a heading of docs/kubernetes.md. */
interface Alert {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: 'page' | 'ticket' };
  annotations: { summary: string; description: string; runbook_url: string };
}

function alert(
  name: string,
  severity: 'page' | 'ticket',
  wait: string,
  expr: string,
  summary: string,
  description: string,
): Alert {
  const annotations = { summary, description, runbook_url: name.toLowerCase() };
  return { alert: name, expr, for: wait, labels: { severity }, annotations };
}

const sends = (more: string) =>
  `sum(rate(http_server_request_duration_count{HOME,hearth_operation="send_message"${more}}[WINDOW]))`;
const failing = (window: string) =>
  `(${sends(',http_response_status_code=~"5.."')} / ${sends('')})`.replaceAll('WINDOW', window);

/**
 * 99.9 % of sends in 30 days succeed: the error budget burns that many times too fast, in a long and a short window.
 */
const burns = (times: number, long: string, short: string) =>
  `${failing(long)} > ${times} * 0.001 and ${failing(short)} > ${times} * 0.001`;

const quantile = (share: number, series: string, window = '5m') =>
  `histogram_quantile(${share}, sum by (le) (rate(${series}{HOME}[${window}])))`;

/** Answering pods by service: a service without pods has no series, but had one an hour ago. */
const answering = 'sum by (app_kubernetes_io_component) (up{HOME})';

/** Items per second with each home that the operator named. */
const items = (more: string) =>
  `sum by (hearth_home) (rate(hearth_home_items_total{HOME,hearth_home!="other"${more}}[30m]))`;
const refused = ',hearth_outcome="rejected"';

/** A home's alerts; HOME stands for the selector of its series. */
export const rules = {
  groups: [
    {
      name: 'objectives',
      rules: [
        alert(
          'HearthSendsFail',
          'page',
          '2m',
          burns(14.4, '1h', '5m'),
          'Messages are not taken',
          'More than 1.4 % of sends failed within the last hour; the objective is 0.1 %.',
        ),
        alert(
          'HearthSendsFailSlowly',
          'ticket',
          '15m',
          burns(6, '6h', '30m'),
          'Messages are not taken now and then',
          'More than 0.6 % of sends failed within the last six hours; the objective is 0.1 %.',
        ),
        alert(
          'HearthWakesSlow',
          'page',
          '10m',
          `${quantile(0.99, 'hearth_wake_duration_bucket')} > 1`,
          'Held requests are woken late',
          'One of a hundred takes more than a second from the news to its answer.',
        ),
        alert(
          'HearthEventsLate',
          'page',
          '5m',
          'max(hearth_outbox_lag{HOME}) > 300',
          'Events wait unpublished',
          'The oldest event, which other homes, apps and people wait for as well, is older than five minutes.',
        ),
      ],
    },
    {
      name: 'causes',
      rules: [
        alert(
          'HearthServiceDown',
          'page',
          '2m',
          `${answering} < 1 or (${answering.replace('}', '} offset 1h')} unless ${answering})`,
          'A service has no pod that answers',
          '{{ $labels.app_kubernetes_io_component }} is away: what needs it gets 503.',
        ),
        alert(
          'HearthErrors',
          'page',
          '10m',
          'sum(rate(http_server_request_duration_count{HOME,http_response_status_code=~"5.."}[5m])) / sum(rate(http_server_request_duration_count{HOME}[5m])) > 0.05',
          'Requests fail',
          'More than 5 % of requests got a status of 5xx.',
        ),
        alert(
          'HearthDatabaseSlow',
          'ticket',
          '15m',
          `${quantile(0.95, 'db_client_connection_wait_time_bucket')} > 0.1`,
          'Work waits for the database',
          'One of twenty waits more than 100 ms for a connection to Postgres.',
        ),
        alert(
          'HearthEventsSetAside',
          'ticket',
          '5m',
          'max(hearth_outbox_set_aside{HOME}) > 0',
          'Events cannot be published',
          'Events were set aside and wait for an operator.',
        ),
        alert(
          'HearthForeignMessages',
          'ticket',
          '1m',
          'sum(increase(hearth_bus_foreign_messages_total{HOME}[15m])) > 0',
          'Others publish under this home',
          'Another home or program publishes on NATS under the subjects of this home.',
        ),
        alert(
          'HearthDeliveriesNotMade',
          'ticket',
          '15m',
          'sum(rate(hearth_delivery_attempts_total{HOME,hearth_outcome="not_made"}[15m])) > 0',
          'Deliveries cannot be made',
          'The home itself could not make attempts: signing or the database is away.',
        ),
        alert(
          'HearthHomeFailing',
          'ticket',
          '5m',
          'max by (hearth_home) (hearth_home_failing{HOME,hearth_home!="other"}) > 3600',
          'A home takes nothing',
          '{{ $labels.hearth_home }} took nothing for more than an hour; what waits 14 days is undeliverable.',
        ),
        alert(
          'HearthHomeItemsRefused',
          'ticket',
          '15m',
          `${items(refused)} > 0.05 and ${items(refused)} / ${items('')} > 0.05`,
          'Homes refuse each other’s items',
          'More than 5 % of the items to and from {{ $labels.hearth_home }} were refused within the last half hour.',
        ),
      ],
    },
  ],
};
