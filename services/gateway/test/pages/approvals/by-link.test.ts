import { notFound } from '@hearth/errors';
import {
  type Approval,
  ApprovalsService,
  type ReplyApprovalRequest,
} from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { PlansService } from '@hearth/proto/decisions/v1/plans';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { adaId, startHomeWithPeople } from '../home-with-people.ts';
import { expectSignIn, expectWords, wordsOf } from '../visitor.ts';
import { idOfAsk, someApproval } from './some-approval.ts';

const id = idOfAsk(1);
const path = `/a/${id}`;
const seen = 'You opened this page with a link that was sent to you';

let approval: Approval;
let replies: ReplyApprovalRequest[];

const home = await startHomeWithPeople([
  fake(ApprovalsService, {
    getApproval: async (request, { caller }) => {
      if (caller.id !== adaId || request.id !== id) throw notFound();
      return approval;
    },
    listApprovals: async () => ({ approvals: [approval] }),
    replyApproval: async (request) => {
      replies.push(request);
      return approval;
    },
  }),
  fake(DecisionsService, { listDecisions: async () => ({}) }),
  fake(PlansService, { listPlans: async () => ({}) }),
  fake(RequestsService, { listRequests: async () => ({}) }),
  fake(RequestRulesService, {}),
]);
afterAll(() => home.stop());
beforeEach(() => {
  approval = someApproval();
  replies = [];
});

test('a link shows its page once, without a session', async () => {
  home.letAdaSee('key', path);
  const visitor = home.stranger();
  const page = await visitor.open(`${path}?t=key`);
  expect(page.status).toBe(200);
  expectWords(page, 'May I book the train?', seen);
  expect(page.text).not.toContain('Sign out');
  expect(page.text).toContain(`href="/in?next=${encodeURIComponent(path)}"`);
  expect(page.headers['cache-control']).toContain('no-store');
  const again = await visitor.open(`${path}?t=key`);
  expectSignIn(again, path);
});

test("and lets no one act: the page's form asks for a sign-in", async () => {
  home.letAdaSee('key', path);
  const visitor = home.stranger();
  const page = await visitor.open(`${path}?t=key`);
  const sent = await visitor.send(page, path, { decision: 'approved' });
  expectSignIn(sent, path);
  home.letAdaSee('key', path);
  const posted = await visitor.post(`${path}?t=key`, { decision: 'approved' });
  expect(posted.status).toBe(403);
  expect(replies).toEqual([]);
  expect([...visitor.cookies.keys()]).toEqual(['hearth_visitor']);
});

test('is not used up by a signed-in person, by HEAD, or by a page that links cannot open', async () => {
  home.letAdaSee('key', path);
  expect((await home.ada.open(`${path}?t=key`)).text).not.toContain(seen);
  expect((await home.grace.open(`${path}?t=key`)).status).toBe(404);
  home.letAdaSee('key', '/requests/blocked');
  expect((await home.stranger().open('/requests/blocked?t=key')).status).toBe(303);
  expect((await home.stranger().open('/requests?t=key')).status).toBe(303);
  expect(wordsOf(await home.stranger().open(`${path}?t=key`))).toContain(seen);
});

test('is not logged', async () => {
  home.letAdaSee('a-token-of-a-link', path);
  await home.stranger().open(`${path}?t=a-token-of-a-link`);
  await home.stranger().open(`${path}?t=a-token-of-a-link`);
  expect(home.logged.join()).not.toContain('a-token-of-a-link');
});

test('also shows waiting requests', async () => {
  home.letAdaSee('key', '/requests');
  const page = await home.stranger().open('/requests?t=key');
  expectWords(page, 'May I book the train?', seen);
});
