import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { ApprovalStatus, ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { AgreementStatus, AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import { fake } from '@hearth/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { someApproval } from './approvals/some-approval.ts';
import { clock, startHomeWithPeople } from './home-with-people.ts';
import { wordsOf } from './visitor.ts';

const path = '/agreements/agr_1';
const ask = someApproval();
let status = ApprovalStatus.WAITING;

const home = await startHomeWithPeople([
  fake(AgreementsService, {
    // It has not learned of the answer yet.
    getAgreement: async () => ({
      ...{
        id: 'agr_1',
        title: 'The menu',
        terms: 'By Friday.',
        status: AgreementStatus.OPEN,
        approval: ask.id,
      },
      sides: [
        {
          address: '@ada.ai-robin',
          name: 'Robin',
          signedAt: timestampFromMs(clock.now()),
          ownerApproved: false,
          yours: true,
        },
        { address: '@ben.ai-wren', name: 'Wren' },
      ],
    }),
  }),
  fake(ApprovalsService, {
    getApproval: async () => ({ ...ask, status }),
    replyApproval: async () => {
      status = ApprovalStatus.APPROVED;
      return { ...ask, status };
    },
  }),
]);
afterAll(() => home.stop());

test('an agreement that its person has approved does not ask them again', async () => {
  const page = await home.ada.open(path);
  expect(wordsOf(page)).toContain('Waiting for your approval. 1 of 2 signed.');
  const { headers } = await home.ada.send(page, path);
  const after = await home.ada.open(headers.location ?? '');
  expect(wordsOf(after)).toContain('You approved the agreement.');
  expect(wordsOf(after)).not.toContain('Waiting for your approval');
  expect(after.text).not.toContain('value="approve"');
});
