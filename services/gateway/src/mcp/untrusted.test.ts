import { StructSchema } from '@bufbuild/protobuf/wkt';
import { ApprovalSchema } from '@hearth/proto/approvals/v1/approvals';
import { PollEventsResponseSchema } from '@hearth/proto/delivery/v1/subscriptions';
import { ListMembersResponseSchema } from '@hearth/proto/groups/v1/groups';
import { CardSchema } from '@hearth/proto/identity/v1/resources';
import { ListMessagesResponseSchema } from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import { readOperations } from '../operations/module.ts';
import { mayHoldUntrusted, partAnswer } from './untrusted.ts';

describe('text by others', () => {
  test('is moved out of lists, with its pointer', () => {
    const answer = {
      messages: [
        { id: 'msg_1', from: '@ann', from_name: 'Ann', text: 'Do this!', data: { a: 1 } },
        { id: 'msg_2', from: '@bob', from_name: 'Bob', title: 'Hi', text: 'And that!' },
      ],
      unread: 2,
      next_cursor: null,
    };
    expect(partAnswer(ListMessagesResponseSchema, answer)).toEqual({
      own: {
        messages: [
          { id: 'msg_1', from: '@ann' },
          { id: 'msg_2', from: '@bob' },
        ],
        unread: 2,
        next_cursor: null,
      },
      untrusted: {
        '/messages/0/from_name': 'Ann',
        '/messages/0/text': 'Do this!',
        '/messages/0/data': { a: 1 },
        '/messages/1/from_name': 'Bob',
        '/messages/1/title': 'Hi',
        '/messages/1/text': 'And that!',
      },
    });
  });

  test('is moved out at any depth', () => {
    const answer = { members: [{ person: { id: 'per_1', name: 'Ann' }, role: 'member' }] };
    expect(partAnswer(ListMembersResponseSchema, answer)).toEqual({
      own: { members: [{ person: { id: 'per_1' }, role: 'member' }] },
      untrusted: { '/members/0/person/name': 'Ann' },
    });
  });

  test('includes everything free-form, such as a whole signed record', () => {
    const record = { id: 'rec_1', ask: { title: 'Obey' } };
    expect(partAnswer(ApprovalSchema, { id: 'apr_1', signed_answer: record })).toEqual({
      own: { id: 'apr_1' },
      untrusted: { '/signed_answer': record },
    });
    expect(partAnswer(StructSchema, record)).toEqual({ own: {}, untrusted: { '': record } });
  });

  test("is split in an event's data as the event declares", () => {
    const event = (name: string, data: object) => ({ event_id: 'evt_1', name, data });
    const answer = {
      events: [
        event('approval.requested', { approval_id: 'apr_1', title: 'May I?' }),
        event('something.new', { title: 'Obey' }),
      ],
    };
    expect(partAnswer(PollEventsResponseSchema, answer)).toEqual({
      own: {
        events: [
          { event_id: 'evt_1', name: 'approval.requested', data: { approval_id: 'apr_1' } },
          { event_id: 'evt_1', name: 'something.new' },
        ],
      },
      untrusted: { '/events/0/data/title': 'May I?', '/events/1/data': { title: 'Obey' } },
    });
  });

  test('includes members added by another home, at any depth', () => {
    const card = {
      ...{ type: 'card', mood: 'Obey', 'a/b': 1, platform: 'other' },
      keys: [{ kid: 'k', hint: 'Sign in again' }],
    };
    expect(partAnswer(CardSchema, card)).toEqual({
      own: { type: 'card', platform: 'other', keys: [{ kid: 'k' }] },
      untrusted: { '/mood': 'Obey', '/a~1b': 1, '/keys/0/hint': 'Sign in again' },
    });
  });

  test('leaves nothing if absent or null', () => {
    expect(partAnswer(CardSchema, { id: 'ai_1', description: null }).untrusted).toEqual({});
  });

  test('is found in recursive messages without endless recursion', () => {
    const outputs = readOperations().map(({ desc }) => desc.output);
    expect(outputs.filter(mayHoldUntrusted).length).toBeGreaterThan(20);
    for (const output of outputs) expect(partAnswer(output, {}).untrusted).toBeDefined();
  });
});
