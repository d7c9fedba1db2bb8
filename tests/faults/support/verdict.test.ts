import { expect, test } from '@jest/globals';
import { judge, type SeenMessage, type SentMessage } from './verdict.ts';

const sent = (n: number, acknowledged = true): SentMessage => ({
  key: `talk ${n}`,
  conversation: 'talk',
  n,
  recipient: '@wren',
  ...(acknowledged && { acknowledged: { id: `msg_${n}`, thread: 'thr_1' } }),
});
const seen = (n: number, fields: Partial<SeenMessage> = {}): SeenMessage => ({
  recipient: '@wren',
  id: `msg_${n}`,
  thread: 'thr_1',
  text: `talk ${n}`,
  ...fields,
});
const clean = { lost: [], unexpected: [], duplicates: [], orderViolations: [] };

test('a run with everything sent and seen in order is clean', () => {
  expect(judge([sent(1), sent(2)], [seen(1), seen(2)])).toEqual({
    ...clean,
    attempted: 2,
    acknowledged: 2,
    delivered: 2,
  });
});

test('an unacknowledged message may be seen or not', () => {
  expect(judge([sent(1), sent(2, false)], [seen(1)])).toMatchObject({ ...clean, acknowledged: 1 });
  expect(judge([sent(1), sent(2, false)], [seen(1), seen(2)])).toMatchObject({ ...clean, delivered: 2 });
});

test('lost: acknowledged and never seen', () => {
  expect(judge([sent(1), sent(2)], [seen(2)]).lost).toEqual(['talk 1 (msg_1)']);
});

test('unexpected: never sent, at another receiver, under another id or thread', () => {
  for (const wrong of [
    seen(9),
    seen(1, { recipient: '@robin' }),
    seen(1, { id: 'msg_7' }),
    seen(1, { thread: 'thr_2' }),
  ]) {
    expect(judge([sent(1)], [wrong]).unexpected).toHaveLength(1);
  }
});

test('duplicate: seen twice, or a repeated request that became two messages', () => {
  expect(judge([sent(1)], [seen(1), seen(1)]).duplicates).toEqual(['talk 1']);
  expect(judge([sent(1, false)], [seen(1), seen(1, { id: 'msg_8' })]).duplicates).toEqual(['talk 1']);
});

test('order: seen in its thread after a later one', () => {
  expect(judge([sent(1), sent(2)], [seen(2), seen(1)]).orderViolations).toEqual(['talk 1 after number 2']);
});
