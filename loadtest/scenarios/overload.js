// More load than a home accepts from one caller: the excess is refused with 429 and Retry-After, accepted
// messages arrive, and the home keeps serving others. The home has its usual limits on writes.
import { check } from 'k6';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { poll, request, signUp } from '../lib/api.js';
import { acknowledged, arrivals, load, lost } from '../lib/counts.js';
import { missing, note } from '../lib/messages.js';

const {
  perSecond,
  seconds,
  options: optionsOf,
  summary,
} = load({ perSecond: 50, seconds: 20, wakeP99Ms: 2_000 });
const refused = new Counter('refused');

export const options = optionsOf(
  {
    flood: arrivals(perSecond, seconds, 1, 'flood'),
    reader: {
      executor: 'per-vu-iterations',
      vus: 1,
      iterations: 1,
      exec: 'read',
      maxDuration: `${seconds + 60}s`,
    },
  },
  { refused: ['count>0'] },
);

export const setup = () => ({ writer: signUp(0), reader: signUp(1) });

export function flood({ writer, reader }) {
  const number = exec.scenario.iterationInTest;
  const text = `${number} ${Date.now()}`;
  const reply = request(writer.base, 'POST', '/messages', writer.key, { to: reader.address, text });
  if (reply.status === 201) return acknowledged.add(1);
  refused.add(1);
  check(reply, {
    'refused with 429 and Retry-After': ({ status, headers }) =>
      status === 429 && Number(headers['Retry-After']) > 0,
  });
}

export function read({ reader }) {
  const seen = new Set();
  let since;
  const end = exec.scenario.startTime + 1_000 * (seconds + 5);
  while (Date.now() < end) {
    const found = poll(reader, since, Math.max(1, Math.min(5, Math.ceil((end - Date.now()) / 1_000)))) ?? [];
    since = note(found, seen, Date.now()) ?? since;
  }
  lost.add(missing(reader, seen));
}

export const handleSummary = summary({}, (count) => ({ refused: count('refused') }));
