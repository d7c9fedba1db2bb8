import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import {
  ApprovalRemindedSchema,
  ApprovalRequestedSchema,
  ApprovalSettledSchema,
} from '@hearth/proto/events/v1/events';
import { expect, test } from '@jest/globals';
import { inWords } from '../../../test/in-words.ts';
import { knownActor } from './actor.ts';
import { approvalEvents } from './of-approvals.ts';

const { approvalReminded, approvalRequested, approvalSettled } = approvalEvents;
const title = 'May I book the train?';
const itself = knownActor(undefined);
const id = '01900000-0000-7000-8000-000000000001';
const approval = printId('apr', id);

test('an ask is listed, in words, for its recipients and their apps', () => {
  const asked = create(ApprovalRequestedSchema, {
    title,
    group: { id: 'club' },
    to: ['gus'],
    apps: ['planner'],
    itemRef: 'trip-7',
    itemApp: 'planner',
  });
  expect(inWords(approvalRequested.activity(asked, { ...itself, who: 'Ada' }))).toEqual({
    action: 'approval.requested',
    summary: 'Ada asked: May I book the train?',
    group: 'club',
    subjects: ['gus', 'planner'],
    itemRef: 'trip-7',
    itemApp: 'planner',
  });
  expect(inWords(approvalRequested.activity(asked, itself))).toMatchObject({ summary: `Asked: ${title}` });
});

test.each([
  ['approved', 'Approved'],
  ['declined', 'Declined'],
  ['cancelled', 'Withdrawn'],
  ['expired', 'Not answered in time'],
])('an ask that settles as %s notifies both sides', (status, words) => {
  const settled = create(ApprovalSettledSchema, {
    title,
    status,
    asker: 'ai',
    askerPerson: 'ada',
    to: ['gus'],
  });
  expect(inWords(approvalSettled.activity(settled))).toMatchObject({
    action: `approval.${status}`,
    summary: `${words}: ${title}`,
    subjects: ['ai', 'ada', 'gus'],
  });
});

test('each recipient who is asked or reminded by email gets a mail', () => {
  expect(approvalRequested.mail(create(ApprovalRequestedSchema, { approval, mailed: [0, 2] }))).toEqual([
    { id, kind: 'ask_mail', part: 0 },
    { id, kind: 'ask_mail', part: 2 },
  ]);
  expect(approvalReminded.mail(create(ApprovalRemindedSchema, { approval, mailed: [2] }))).toEqual([
    { id, kind: 'ask_reminder', part: 2 },
  ]);
});

test('an asker with a callback address gets a callback, and no other asker does', () => {
  const settled = create(ApprovalSettledSchema, { approval, asker: 'ai' });
  expect(approvalSettled.callback(settled)).toBeNull();
  expect(approvalSettled.callback({ ...settled, callback: true })).toEqual({ approval: id, asker: 'ai' });
});
