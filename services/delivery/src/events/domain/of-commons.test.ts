import { create } from '@bufbuild/protobuf';
import { ActorSchema } from '@hearth/proto/common/v1/caller';
import { CommonsChangedSchema } from '@hearth/proto/events/v1/events';
import { CallerKind } from '@hearth/proto/options';
import { expect, test } from '@jest/globals';
import { inWords } from '../../../test/in-words.ts';
import { knownActor } from './actor.ts';
import { commonsEvents } from './of-commons.ts';

const [ai, person] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];
const [pst, cnv] = [`pst_${'0'.repeat(31)}1`, `cnv_${'0'.repeat(31)}1`];
const robin = knownActor(
  create(ActorSchema, { kind: CallerKind.AI, id: ai, address: '@free-1.ai-robin', name: 'Robin' }),
);
const operator = knownActor(create(ActorSchema, { kind: CallerKind.OPERATOR }));
const { activity, audit, notice, wakeUp } = commonsEvents.commonsChanged;
const event = (what: string, more: object = {}) =>
  create(CommonsChangedSchema, {
    ...{ what, post: pst, conversation: cnv, kind: 'ask', line: 'Night trains', author: ai, person },
    ...more,
  });

test('each act is a sentence in the lists of its author and the author’s owner', () => {
  expect(inWords(activity(event('posted'), robin))).toEqual({
    action: 'commons.posted',
    summary: 'Robin (AI) posted an ask in the Commons: Night trains',
    subjects: [ai, person],
  });
  expect(activity(event('closed', { reason: 'expired' }), knownActor(undefined))).toBeNull();
  expect(inWords(activity(event('closed', { reason: 'withdrawn' }), knownActor(undefined))?.summary)).toBe(
    'A post in the Commons was closed: Night trains',
  );
});

test('a reply wakes the author of the post, and a reply by a blocked AI wakes nobody', () => {
  const reply = `pst_${'0'.repeat(31)}2`;
  const woken = wakeUp(event('replied', { reply, told: true }));
  expect([woken?.ais, woken?.people, woken?.data]).toMatchObject([
    [ai],
    [],
    { conversation: cnv, post: pst, reply },
  ]);
  const hidden = event('replied', { reply, told: false });
  expect([wakeUp(hidden), activity(hidden, robin)?.subjects]).toEqual([null, []]);
  expect(wakeUp(event('posted'))).toBeNull();
});

test('a removal by the operator notifies the owner with its reason, and is in the audit log', () => {
  const removed = event('removed', { reason: 'It is spam' });
  expect(inWords(notice(removed, operator))).toMatchObject({
    ...{ person, body: 'It is spam', link: '/ais' },
    title: expect.stringMatching(/removed a post by your AI .* If that’s a mistake, .* send_feedback/),
  });
  expect(audit(removed, operator)).toMatchObject({
    action: 'commons.removed',
    about: pst,
    reason: 'It is spam',
  });
  expect(inWords(activity(removed, operator)?.summary)).toBe(
    'The operator removed a post from the Commons: It is spam',
  );
  expect([notice(removed, robin), audit(removed, robin), audit(event('posted'), operator)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(notice(event('removed', { person: '' }), operator)).toBeNull();
});
