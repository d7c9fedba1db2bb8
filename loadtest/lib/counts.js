import { Counter, Trend } from 'k6/metrics';
import { config } from './config.js';

/** The time from when something was due until its recipient had it. */
export const wake = new Trend('wake_ms', true);
export const acknowledged = new Counter('acknowledged');
export const delivered = new Counter('delivered');
/** Acknowledged, but in no answer. */
export const lost = new Counter('lost');
/** Delivered twice. */
export const dup = new Counter('dup');

/** A counter that was never incremented does not fail its threshold. */
const thresholds = (wakeP99Ms) => ({
  lost: ['count==0'],
  dup: ['count==0'],
  wake_ms: [`p(99)<${wakeP99Ms}`],
  delivered: ['count>0'],
  dropped_iterations: ['count==0'],
  checks: ['rate==1'],
});

const common = {
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  setupTimeout: '300s',
  teardownTimeout: '60s',
};

/** Sends at a constant arrival rate, whether or not earlier iterations are done (open model). */
export const arrivals = (perSecond, seconds, startTime, exec) => ({
  executor: 'constant-arrival-rate',
  startTime: `${startTime}s`,
  duration: `${seconds}s`,
  rate: perSecond,
  timeUnit: '1s',
  preAllocatedVUs: Math.max(30, perSecond),
  maxVUs: Math.max(100, 3 * perSecond),
  exec,
});

/** handleSummary of every scenario: the counts, beside the requested load. */
const summarize =
  (asked, more = () => ({})) =>
  ({ metrics }) => {
    const count = (name) => metrics[name]?.values.count ?? 0;
    const of = (name, value) => (metrics[name] ? Math.round(metrics[name].values[value] * 100) / 100 : null);
    const failed = Object.entries(metrics).flatMap(([name, { thresholds: held = {} }]) =>
      Object.entries(held).flatMap(([words, { ok }]) => (ok ? [] : [`${name} ${words}`])),
    );
    const summary = {
      ...asked,
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
      ...more(count),
      failed,
    };
    const text = `${JSON.stringify(summary, null, 2)}\n`;
    return __ENV.SUMMARY ? { stdout: text, [__ENV.SUMMARY]: text } : { stdout: text };
  };

/**
 * A scenario's load, from the environment or else `usual`, and the thresholds of every scenario.
 * `options(scenarios, further)` returns k6's options with further thresholds; `summary(asked, more)` the
 * handleSummary.
 */
export function load(usual) {
  const perSecond = config.perSecond(usual.perSecond);
  const seconds = config.seconds(usual.seconds);
  const wakeP99Ms = config.wakeP99Ms(usual.wakeP99Ms);
  return {
    perSecond,
    seconds,
    options: (scenarios, further = {}) => ({
      ...common,
      scenarios,
      thresholds: { ...thresholds(wakeP99Ms), ...further },
    }),
    summary: (asked = {}, more) =>
      summarize({ ...asked, per_second: perSecond, seconds, wake_p99_ms: wakeP99Ms }, more),
  };
}
