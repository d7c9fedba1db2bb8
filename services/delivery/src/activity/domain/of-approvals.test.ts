import { create } from '@bufbuild/protobuf';
import { ApprovalRequestedSchema, ApprovalSettledSchema } from '@hearth/proto/events/v1/events';
import { expect, test } from '@jest/globals';
import { approvalEvents } from './of-approvals.ts';

const title = 'May I book the train?';

test('an ask stands in the lists of those who are asked and of their apps, in words', () => {
  const asked = create(ApprovalRequestedSchema, { title, to: ['gus'], apps: ['planner'], itemRef: 'trip-7' });
  expect(approvalEvents.approvalRequested!(asked, 'Ada')).toEqual({
    action: 'approval.requested',
    summary: 'Ada asked: May I book the train?',
    subjects: ['gus', 'planner'],
    itemRef: 'trip-7',
  });
  expect(approvalEvents.approvalRequested!(asked, null)).toMatchObject({ summary: `Asked: ${title}` });
});

test.each([
  ['approved', 'approved'],
  ['declined', 'declined'],
  ['cancelled', 'taken back'],
  ['expired', 'not answered in time'],
])('what settled as %s is told to both sides', (status, words) => {
  const settled = create(ApprovalSettledSchema, {
    title,
    status,
    asker: 'ai',
    askerPerson: 'ada',
    to: ['gus'],
  });
  expect(approvalEvents.approvalSettled!(settled, null)).toMatchObject({
    action: `approval.${status}`,
    summary: `${title}: ${words}`,
    subjects: ['ai', 'ada', 'gus'],
  });
});
