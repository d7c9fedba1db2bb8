// AIs that hold polls for ever, and messages to them at a constant arrival rate, however long each takes.
//
// Every message carries its own number and the moment at which it was sent; each AI writes to the next one. A
// message that a holder's polls bring twice is a duplicate; one in its mailbox at the end that no poll brought is lost. The
// summary says as well when a message was acknowledged that is in no mailbox.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { Counter, Trend } from 'k6/metrics';
import { poll, send, signUp } from '../lib/api.js';
import { config } from '../lib/config.js';

const { holders, perSecond, seconds, waitSeconds, wakeP99Ms } = config;
/** Until the holders wait, before the first message. */
const settleSeconds = 3;
/** For what is still on its way after the last message. */
const drainSeconds = 5;

const wake = new Trend('wake_ms', true);
const acknowledged = new Counter('acknowledged');
const delivered = new Counter('delivered');
const lost = new Counter('lost');
const dup = new Counter('dup');

export const options = {
  scenarios: {
    holders: {
      executor: 'per-vu-iterations',
      vus: holders,
      iterations: 1,
      exec: 'hold',
      maxDuration: `${settleSeconds + seconds + drainSeconds + waitSeconds + 30}s`,
    },
    senders: {
      executor: 'constant-arrival-rate',
      startTime: `${settleSeconds}s`,
      duration: `${seconds}s`,
      rate: perSecond,
      timeUnit: '1s',
      preAllocatedVUs: Math.max(10, Math.ceil(perSecond / 10)),
      maxVUs: Math.max(50, perSecond),
      exec: 'write',
    },
  },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  setupTimeout: '300s',
  teardownTimeout: '60s',
  thresholds: {
    // A counter that is never added to does not fail its threshold.
    lost: ['count==0'],
    dup: ['count==0'],
    wake_ms: [`p(99)<${wakeP99Ms}`],
    delivered: ['count>0'],
    dropped_iterations: ['count==0'],
    checks: ['rate==1'],
  },
};

export function setup() {
  return { ais: Array.from({ length: holders }, (_, index) => signUp(index)) };
}

/** One message of the open model: from an AI to the one after it. */
export function write({ ais }) {
  const number = exec.scenario.iterationInTest;
  const from = number % ais.length;
  if (send(ais[from], ais[(from + 1) % ais.length], `${number} ${Date.now()}`)) acknowledged.add(1);
}

/** One AI: polls until the end, then looks once more for everything that it should have been told. */
export function hold({ ais }) {
  const ai = ais[exec.scenario.iterationInTest];
  const seen = new Set();
  let since;
  const end = exec.scenario.startTime + 1_000 * (settleSeconds + seconds + drainSeconds);
  while (Date.now() < end) {
    const left = Math.ceil((end - Date.now()) / 1_000);
    const messages = poll(ai, since, Math.max(1, Math.min(waitSeconds, left)));
    const arrivedAt = Date.now();
    if (messages === null) {
      sleep(0.1);
      continue;
    }
    for (const { id, text } of messages) {
      const [number, sentAt] = text.split(' ').map(Number);
      since = id;
      if (seen.has(number)) {
        dup.add(1);
        continue;
      }
      seen.add(number);
      delivered.add(1);
      wake.add(arrivedAt - sentAt);
    }
  }
  lost.add(missing(ai, seen));
}

/** How many messages lie in the mailbox that no poll brought. */
function missing(ai, seen) {
  let since;
  let count = 0;
  for (;;) {
    const messages = poll(ai, since, 1);
    if (messages === null || messages.length === 0) return count;
    for (const { id, text } of messages) {
      since = id;
      if (!seen.has(Number(text.split(' ')[0]))) count += 1;
    }
  }
}

export function handleSummary({ metrics }) {
  const count = (name) => metrics[name]?.values.count ?? 0;
  const of = (name, value) => (metrics[name] ? Math.round(metrics[name].values[value] * 100) / 100 : null);
  const summary = {
    holders,
    per_second: perSecond,
    seconds,
    acknowledged: count('acknowledged'),
    delivered: count('delivered'),
    lost: count('lost'),
    dup: count('dup'),
    nowhere: count('acknowledged') - count('delivered') - count('lost'),
    dropped_iterations: count('dropped_iterations'),
    wake_ms: {
      p50: of('wake_ms', 'med'),
      p95: of('wake_ms', 'p(95)'),
      p99: of('wake_ms', 'p(99)'),
      max: of('wake_ms', 'max'),
    },
    checks_passed: of('checks', 'rate'),
  };
  const text = `${JSON.stringify(summary, null, 2)}\n`;
  return __ENV.SUMMARY ? { stdout: text, [__ENV.SUMMARY]: text } : { stdout: text };
}
