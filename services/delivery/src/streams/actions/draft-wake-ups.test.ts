import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { wakeUps } from '@hearth/webhooks';
import { describe, expect, test } from '@jest/globals';
import { audiences } from '../../events/module.ts';
import { draftsOf } from './draft-wake-ups.ts';

const [robin, ada, ben, door, ann, cleo, group] = Array.from(
  { length: 7 },
  (_, index) => `01a1fcda-de69-7946-a90c-0cb00e6981a${index}`,
) as [string, string, string, string, string, string, string];
const at = Date.parse('2026-03-01T12:00:00.250Z');
const id = 'evt_01a1fcdade697946a90c0cb00e6981a6';

type Data = MessageInitShape<typeof EventSchema>['data'];
const drafts = (data: Data, by = '') =>
  draftsOf(create(EventSchema, { id, at: timestampFromMs(at), data, ...(by !== '' && { by: { id: by } }) }));

const sent = { messageId: 'msg_1', thread: 'thr_1', from: '@ada.ai-helper', to: robin, box: 'inbox' };

describe('a message', () => {
  test('wakes the AI that reads it, and none of a person’s AIs', () => {
    expect(drafts({ case: 'messageSent', value: { ...sent, groups: [group] } }, ada)).toEqual([
      {
        id: parseId('evt', id),
        at: new Date(at),
        name: 'message.direct',
        data: { message_id: 'msg_1', thread: 'thr_1', from: '@ada.ai-helper', box: 'inbox' },
        ais: [robin],
        people: [],
        groups: [group],
        withoutOwner: true,
        by: ada,
      },
    ]);
  });

  test('of a person under 18 reveals nothing about them', () => {
    const [draft] = drafts({ case: 'messageSent', value: { ...sent, from: '' } });
    expect(draft!.data).toEqual({ message_id: 'msg_1', thread: 'thr_1', box: 'inbox' });
  });

  test('that waits quietly wakes nobody', () => {
    expect(drafts({ case: 'messageSent', value: { ...sent, quiet: true } })).toEqual([]);
  });
});

describe('an ask', () => {
  const asked = {
    approval: 'apr_1',
    title: 'Pizza?',
    kind: 'ask',
    requestKind: 'other',
    from: '@ada.ai-helper',
    expiresAt: timestampFromMs(at),
  };
  const place = { to: ben, owner: ben, box: 'inbox', requestKind: 'other', quiet: false };
  const ask = (...places: Partial<typeof place>[]) =>
    drafts({
      case: 'approvalRequested',
      value: { ...asked, places: places.map((one) => ({ ...place, ...one })) },
    });
  const data = {
    approval_id: 'apr_1',
    title: 'Pizza?',
    kind: 'ask',
    from: '@ada.ai-helper',
    to_you: false,
    front_door: false,
    expires_at: '2026-03-01T12:00:00.250Z',
  };

  test('reaches an AI itself, or a person’s AIs', () => {
    expect(ask({})).toMatchObject([
      { name: 'approval.requested', ais: [ben], people: [], data: { ...data, to_you: true } },
      { name: 'approval.requested', ais: [], people: [ben], data },
    ]);
    expect(ask({}).map((wakeUp) => [wakeUp.withoutOwner, wakeUp.id])).toEqual([
      [false, parseId('evt', id)],
      [false, parseId('evt', id)],
    ]);
  });

  test('of a stranger names the kind it counts as', () => {
    const [own] = ask({ box: 'requests', requestKind: 'sales' });
    expect(own!.data).toEqual({ ...data, to_you: true, request_kind: 'sales' });
  });

  test('at the front door wakes the AI there', () => {
    const [own, people] = ask({ owner: door, box: 'front_door', requestKind: 'offer' });
    expect(own).toMatchObject({
      ais: [door],
      data: { to_you: false, front_door: true, request_kind: 'offer' },
    });
    expect(people).toMatchObject({ people: [door] });
  });

  test('to an AI both directly and through its person counts as an ask to the AI', () => {
    const both = ask({ to: door, owner: door }, { to: ben, owner: door, box: 'front_door' });
    expect(both.map(({ ais, people }) => [ais, people])).toEqual([
      [[door], []],
      [[], [door]],
    ]);
    expect(both[0]!.data).toEqual({ ...data, to_you: true, front_door: true });
  });

  test('wakes nobody who is asked quietly, and the others', () => {
    const targets = ask({ to: ann, owner: ann, quiet: true }, {}, { to: cleo, owner: cleo });
    expect(targets.flatMap(({ ais }) => ais)).toEqual([ben, cleo]);
  });

  test('of a group belongs to it, and an ask of the home or of a child has no sender address', () => {
    const [own] = drafts({
      case: 'approvalRequested',
      value: { ...asked, from: '', group: { id: group }, places: [place] },
    });
    expect(own!.groups).toEqual([group]);
    expect(own!.data).not.toHaveProperty('from');
  });
});

describe('an answer', () => {
  const settled = { approval: 'apr_1', asker: robin, askerPerson: ada, status: 'approved' };

  test.each(['approved', 'declined', 'expired'])(
    '%s wakes the asker, and the AIs of their person',
    (status) => {
      expect(drafts({ case: 'approvalSettled', value: { ...settled, status } })).toMatchObject([
        {
          name: 'ask.answered',
          data: { approval_id: 'apr_1', status },
          ais: [robin],
          people: [ada],
          withoutOwner: true,
        },
      ]);
    },
  );

  test('is not sent for a cancelled ask', () => {
    expect(drafts({ case: 'approvalSettled', value: { ...settled, status: 'cancelled' } })).toEqual([]);
  });
});

test('events without an id or time, and all other kinds, wake nobody', () => {
  const data = { case: 'messageSent' as const, value: sent };
  expect(draftsOf(create(EventSchema, { id, data }))).toEqual([]);
  expect(draftsOf(create(EventSchema, { id: 'x', at: timestampFromMs(at), data }))).toEqual([]);
  expect(drafts({ case: 'groupPosted', value: {} })).toEqual([]);
  expect(draftsOf(create(EventSchema, { id, at: timestampFromMs(at) }))).toEqual([]);
});

test('an invalid uuid names no recipient and no group', () => {
  const value = { ...sent, to: '', groups: ['', 'no uuid', group] };
  expect(drafts({ case: 'messageSent', value })).toMatchObject([{ ais: [], groups: [group] }]);
});

test('the subscribed events are those that wake somebody', () => {
  expect([...audiences.wakeUp.types].sort()).toEqual([
    'agreement_changed',
    'approval_requested',
    'approval_settled',
    'commons_changed',
    'decision_changed',
    'meeting_changed',
    'message_sent',
    'plan_changed',
  ]);
  expect(wakeUps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['message.direct', 'approval.requested', 'ask.answered']),
  );
});
