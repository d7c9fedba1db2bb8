// People ask people at a constant arrival rate; each ask is answered at once, and the asker's held poll
// returns the answer.
import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { act, people } from '../lib/api.js';
import { acknowledged, arrivals, delivered, dup, load, lost, wake } from '../lib/counts.js';

const {
  perSecond,
  seconds,
  options: optionsOf,
  summary,
} = load({ perSecond: 10, seconds: 20, wakeP99Ms: 1_500 });

export const options = optionsOf({ asks: arrivals(perSecond, seconds, 0, 'ask') });

/** The default rule declines a person's eleventh ask to another within a day. */
const asksOfOne = 10;

export const setup = () => ({ all: people(Math.max(20, Math.ceil((perSecond * seconds + 1) / asksOfOne))) });

export function ask({ all }) {
  const number = exec.scenario.iterationInTest;
  const asker = all[number % all.length];
  const asked = all[(number + 1) % all.length];
  const made = act(asker, 'POST', '/approvals', { title: `May I, ${number}?`, to: [asked.address] });
  if (!check(made, { 'ask taken': ({ status }) => status === 201 })) return;
  acknowledged.add(1);
  const path = `/approvals/${made.json('id')}`;
  const headers = { Authorization: `Bearer ${asker.app}`, 'Svc-Acting-For': asker.id };
  const began = Date.now();
  // The answer and the poll that it ends overlap.
  const replies = http.batch([
    ['GET', `${asker.base}/v0${path}?wait=20`, null, { headers, tags: { name: '/approvals/{id} held' } }],
    [
      'POST',
      `${asked.base}/v0${path}/reply`,
      JSON.stringify({ decision: 'approved' }),
      {
        headers: { ...headers, 'Svc-Acting-For': asked.id, 'Content-Type': 'application/json' },
        tags: { name: '/approvals/{id}/reply' },
      },
    ],
  ]);
  wake.add(Date.now() - began);
  const isAnswered = replies[0].status === 200 && replies[0].json('status') === 'approved';
  check(replies[1], { 'answer taken': ({ status }) => status === 200 });
  if (isAnswered) delivered.add(1);
  else lost.add(1);
  const again = act(asked, 'POST', `${path}/reply`, { decision: 'declined' });
  if (again.status < 300) dup.add(1);
}

export const handleSummary = summary();
