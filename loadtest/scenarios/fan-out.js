// One member posts to a group at a constant arrival rate and every member reads it: each post must reach each
// member exactly once.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import { act, group, people } from '../lib/api.js';
import { config } from '../lib/config.js';
import { acknowledged, arrivals, delivered, dup, load, lost, wake } from '../lib/counts.js';

const members = config.holders(20);
const {
  perSecond,
  seconds,
  options: optionsOf,
  summary,
} = load({ perSecond: 2, seconds: 20, wakeP99Ms: 3_000 });
const drainSeconds = 5;

export const options = optionsOf({
  readers: {
    executor: 'per-vu-iterations',
    vus: members,
    iterations: 1,
    exec: 'read',
    maxDuration: `${seconds + 60}s`,
  },
  writers: arrivals(perSecond, seconds, 1, 'post'),
});

export function setup() {
  const all = people(members);
  return { all, group: group(all) };
}

export function post({ all, group: to }) {
  const number = exec.scenario.iterationInTest;
  const due = exec.scenario.startTime + (number * 1_000) / perSecond;
  const reply = act(all[0], 'POST', `/groups/${to}/messages`, { text: `${number} ${Math.round(due)}` });
  // Each post counts once for each reader.
  if (check(reply, { 'post taken': ({ status }) => status === 201 })) acknowledged.add(members);
}

/** A member, who looks once a second like an open page does: posts are read, not waited for. */
export function read({ all, group: from }) {
  const member = all[exec.scenario.iterationInTest];
  const seen = new Set();
  const end = exec.scenario.startTime + 1_000 * (1 + seconds + drainSeconds);
  let last = [];
  while (Date.now() < end) {
    const reply = act(member, 'GET', `/groups/${from}/messages?limit=50`);
    const arrivedAt = Date.now();
    if (check(reply, { 'posts read': ({ status }) => status === 200 })) last = reply.json('messages');
    const numbers = last.map(({ text }) => text.split(' ').map(Number));
    if (new Set(numbers.map(([number]) => number)).size !== numbers.length) dup.add(1);
    for (const [number, dueAt] of numbers) {
      if (seen.has(number)) continue;
      seen.add(number);
      delivered.add(1);
      wake.add(arrivedAt - dueAt);
    }
    sleep(1);
  }
  const highest = Math.max(-1, ...seen);
  lost.add(highest + 1 - seen.size);
}

export const handleSummary = summary({ members });
