// Groups of three decide at a constant arrival rate: a question, its answers, the home's proposal, and
// approvals. Each closes exactly once.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import { act, group, people } from '../lib/api.js';
import { acknowledged, arrivals, delivered, dup, load, lost, wake } from '../lib/counts.js';

const {
  perSecond,
  seconds,
  options: optionsOf,
  summary,
} = load({ perSecond: 2, seconds: 20, wakeP99Ms: 3_000 });
const groups = 5;

export const options = optionsOf({ decisions: arrivals(perSecond, seconds, 0, 'decide') });

export function setup() {
  const all = people(3 * groups);
  return {
    groups: Array.from({ length: groups }, (_, index) => {
      const members = all.slice(3 * index, 3 * index + 3);
      return { id: group(members), members };
    }),
  };
}

const questions = [
  { kind: 'choice', prompt: 'What do we eat?', options: ['Pizza', 'Soup'] },
  { kind: 'choice', prompt: 'Where do we sit?', options: ['Inside', 'Outside'] },
];

export function decide(data) {
  const number = exec.scenario.iterationInTest;
  const { id: of, members } = data.groups[number % groups];
  const decision = { title: `Dinner ${number}`, group: of, questions, deadline_hours: 24 };
  const made = act(members[0], 'POST', '/decisions', decision);
  if (!check(made, { 'decision taken': ({ status }) => status === 201 })) return;
  acknowledged.add(1);
  const path = `/decisions/${made.json('id')}`;
  const answers = [
    { question_id: 1, answer: 'Soup' },
    { question_id: 2, answer: 'Outside' },
  ];
  for (const member of members)
    check(act(member, 'POST', `${path}/answers`, { answers }), {
      'answer taken': ({ status }) => status === 200,
    });
  const began = Date.now();
  const statusWithin = (wanted) => {
    for (;;) {
      const { status, proposal } = act(members[0], 'GET', path).json();
      if (wanted.includes(status) || Date.now() - began > 15_000)
        return { status, version: proposal?.version };
      sleep(0.1);
    }
  };
  const { status, version } = statusWithin(['proposed', 'agreed']);
  if (status === 'proposed')
    for (const member of members) act(member, 'POST', `${path}/approve`, { decision: 'approved', version });
  const closed = statusWithin(['agreed']);
  wake.add(Date.now() - began);
  if (closed.status === 'agreed') delivered.add(1);
  else lost.add(1);
  if (closed.version !== undefined && closed.version !== 1) dup.add(1);
}

export const handleSummary = summary();
