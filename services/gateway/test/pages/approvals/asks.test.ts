import { createHash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, badRequest, notFound } from '@hearth/errors';
import {
  type AnswerByMailRequest,
  AnswerDecision,
  type Approval,
  ApprovalKind,
  ApprovalStatus,
  ApprovalsService,
  Needs,
  type ReplyApprovalRequest,
} from '@hearth/proto/approvals/v1/approvals';
import {
  RequestRulesService,
  RuleAction,
  type RulesProposalSchema,
} from '@hearth/proto/approvals/v1/request_rules';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, siteUrl, startHomeWithPeople } from '../home-with-people.ts';
import { expectPage, expectWords, wordsOf } from '../visitor.ts';
import { idOfAsk, someApproval } from './some-approval.ts';

const id = idOfAsk(1);
const path = `/a/${id}`;
const key = 'abcdefghijklmnopqrstuv';
const mailed = 'ada@example.org';
const keyHash = createHash('sha256').update(key).digest();

let approval: Approval;
/** The ask after an answer. */
let settled: Approval | undefined;
let replies: { request: ReplyApprovalRequest; person: string }[];
let mails: { request: AnswerByMailRequest; by: string }[];
let looks: number;
let failure: Error | undefined;
let proposal: MessageInitShape<typeof RulesProposalSchema> | undefined;

const settle = () => {
  if (failure !== undefined) throw failure;
  approval = settled ?? approval;
  return approval;
};
const home = await startHomeWithPeople([
  fake(ApprovalsService, {
    getApproval: async (request, { caller }) => {
      looks += 1;
      if (caller.id !== adaId || request.id !== id) throw notFound();
      return approval;
    },
    replyApproval: async (request, { caller }) => {
      const after = settle();
      replies.push({ request, person: caller.id });
      return after;
    },
    findByMailKey: async ({ approval: asked, keyHash: given }) =>
      asked === id && keyHash.equals(given) ? { approval, email: mailed } : {},
    answerByMail: async (request, { caller }) => {
      if (!keyHash.equals(request.keyHash)) throw notFound();
      const after = settle();
      mails.push({ request, by: caller.id });
      return { approval: after, email: mailed };
    },
  }),
  fake(RequestRulesService, {
    getRequestRules: async () => (proposal === undefined ? {} : { proposal }),
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  approval = someApproval();
  settled = undefined;
  replies = [];
  mails = [];
  looks = 0;
  proposal = undefined;
  failure = undefined;
});

const done = (more: Parameters<typeof someApproval>[0] = {}) =>
  someApproval({
    status: ApprovalStatus.APPROVED,
    settledAt: timestampFromMs(clock.now()),
    toYou: undefined,
    receipt: `${siteUrl}/r/rec_1?k=${key}`,
    people: [{ to: '@ada', person: 'Ada Lovelace', decision: AnswerDecision.APPROVED, by: 'person' }],
    ...more,
  });

describe('an ask', () => {
  test('is shown in full, and opening it answers nothing', async () => {
    const page = await home.ada.open(path);
    expectWords(
      page,
      'May I book the train?',
      'Robin <b> @ada.ai-robin',
      'Second class. One change.',
      'Sun, 3 May 2026, 15:00 UTC (3 hours left)',
      'Your answer is final',
      'Ada Lovelace (you) @ada no answer',
    );
    expect(page.text).toContain('<title>Your answer is needed - ');
    expect(page.text).toContain(`name="ask_digest" value="${approval.digest}"`);
    expect([replies, looks]).toEqual([[], 1]);
  });

  test('needs a sign-in, and leads back afterwards', async () => {
    const { status, headers } = await home.stranger().open(`${path}?done=answered`);
    expect([status, headers.location]).toEqual([303, `/in?${new URLSearchParams({ next: path })}`]);
    const posted = await home.stranger().post(path, { decision: 'approved' });
    expect([posted.status, replies]).toEqual([403, []]);
  });

  test.each([path.replace('1', '2'), '/a/x', '/a/%2e%2e'])('of others is not there: %s', async (at) => {
    expect((await home.ada.open(at)).status).toBe(404);
  });

  test('is not found for another person', async () => {
    expect((await home.grace.open(path)).status).toBe(404);
  });

  test('is approved with the shown digest; then the page shows the outcome', async () => {
    const page = await home.ada.open(path);
    settled = done();
    const { headers } = await home.ada.send(page, path, { decision: 'approved', note: 'Yes,\r\nplease' });
    expect(headers.location).toBe(`${path}?done=answered`);
    expect(replies).toMatchObject([
      {
        person: adaId,
        request: { id, decision: AnswerDecision.APPROVED, note: 'Yes,\nplease', askDigest: approval.digest },
      },
    ]);
    const after = await home.ada.open(headers.location!);
    expect(wordsOf(after)).toContain('Approved Your answer was sent. Settled on Sun, 3 May 2026');
    expect(after.text).toContain(`href="/r/rec_1?k=${key}"`);
    expect(after.text).not.toContain(`action="${path}"`);
  });

  test('is declined without an answer, whatever the field contains', async () => {
    approval = someApproval({ freeText: true });
    const page = await home.ada.open(path);
    await home.ada.send(page, path, { decision: 'declined', answer: 'half typed' });
    expect(replies[0]!.request).toMatchObject({ decision: AnswerDecision.DECLINED });
    expect(replies[0]!.request).not.toHaveProperty('answer');
  });

  test.each(['', 'waiting', 'maybe'])('is not answered by a form that says %j', async (decision) => {
    const page = await home.ada.open(path);
    const answered = await home.ada.send(page, path, { decision });
    expect([answered.status, replies]).toEqual([400, []]);
  });

  test('about a child says that only the guardian’s tap counts', async () => {
    approval = someApproval({
      ...{ kind: ApprovalKind.PHOTO, group: { name: 'Rowing club' } },
      ...{ about: '@byron', aboutName: 'Byron <b>' },
    });
    const words = wordsOf(await home.ada.open(path));
    expect(words).toContain('About Byron <b> @byron under 18');
    expect(words).toContain('Only a guardian can answer this, in person.');
    expect(words).toContain('the picture appears in Rowing club');
  });

  test('to several people shows who has answered, and what that means', async () => {
    approval = someApproval({
      needs: Needs.ALL,
      people: [
        ...approval.people,
        {
          to: '@grace',
          person: 'Grace',
          decision: AnswerDecision.APPROVED,
          by: 'ai',
          note: 'Fine',
          answer: 'ok',
        },
      ],
    });
    const words = wordsOf(await home.ada.open(path));
    expect(words).toContain('If anyone declines, the request is declined.');
    expect(words).toMatch(/Grace @grace approved by their AI ok Note: Fine/);
  });

  test('leads to the rules when it is about them', async () => {
    approval = someApproval({ kind: ApprovalKind.RULES });
    const page = await home.ada.open(path);
    expect(page.text).toContain('href="/rules">View suggestion');
    expect(page.text).not.toContain(`action="${path}"`);
    // Without the suggestion itself, its lines as the ask has them.
    expectWords(page, 'Second class. One change.');
  });

  test('shows the rules that it would change, in the words of the rules page', async () => {
    const title = 'Robin <b> suggests different rules for who can reach you';
    approval = someApproval({ kind: ApprovalKind.RULES, title });
    proposal = { id, by: '@ada.ai-robin', changes: { sales: { action: RuleAction.TURN_AWAY } } };
    const page = await home.ada.open(path);
    expectWords(page, 'Sales was: Ask me becomes: Turn away');
    expect(wordsOf(page)).not.toContain('Second class.');
    expect(page.text).toContain('</bdi> suggests different rules for who can reach you</h1>');
  });

  test('does not link to a receipt elsewhere', async () => {
    approval = done({ receipt: 'https://evil.example/r/rec_1?k=x' });
    expect((await home.ada.open(path)).text).not.toContain('evil');
  });
});

describe('a question', () => {
  beforeEach(() => {
    approval = someApproval({ choices: ['Thursday, 19:00', 'Friday "late"'] });
  });

  test('is answered with the exact choice', async () => {
    const page = await home.ada.open(path);
    await home.ada.send(page, path, { decision: 'approved', answer: 'Friday "late"' });
    expect(replies[0]!.request.answer).toBe('Friday "late"');
  });

  test('without an answer is asked again, in our own words', async () => {
    const page = await home.ada.open(path);
    failure = badField('answer', 'pick one of: <b>Thursday</b>');
    const again = await home.ada.send(page, path, { decision: 'approved', note: 'Soon' });
    expectPage(again, 400, 'Error: Choose one before you send your answer.');
    expect(wordsOf(again)).not.toContain('pick one of');
    expect(again.text).toContain('>Soon</textarea>');
  });

  test('with a free answer that is missing does not mention choices', async () => {
    approval = someApproval({ freeText: true });
    const page = await home.ada.open(path);
    failure = badField('answer', 'is required');
    const again = await home.ada.send(page, path, { decision: 'approved' });
    expectPage(again, 400, 'Error: Write your answer before you send it.');
  });

  test('keeps the typed text when it is too long', async () => {
    approval = someApproval({ freeText: true });
    const page = await home.ada.open(path);
    const again = await home.ada.send(page, path, { decision: 'approved', answer: 'x'.repeat(501) });
    expect([again.status, replies]).toEqual([400, []]);
    expect(wordsOf(again)).toMatch(/Error: Use 1 to 500 characters/);
    expect(again.text).toContain(`>${'x'.repeat(501)}</textarea>`);
  });
});

describe('an ask that changed in the meantime', () => {
  test('is shown again, and the sent answer is discarded', async () => {
    const page = await home.ada.open(path);
    failure = badRequest('no', { code: 'ask_changed', field: 'ask_digest' });
    approval = someApproval({ title: 'May I book first class?', digest: 'sha-256:new' });
    const again = await home.ada.send(page, path, { decision: 'approved', note: 'ok' });
    expect(again.status).toBe(400);
    expect(wordsOf(again)).toContain(
      'May I book first class? ! Important: This request changed while you had it open',
    );
    expect(again.text).toContain('name="ask_digest" value="sha-256:new"');
    expect(again.text).toContain('>ok</textarea>');
  });

  test.each(['already_settled', 'not_waiting'] as const)('is not answered once more: %s', async (code) => {
    const page = await home.ada.open(path);
    failure = badRequest('no', { code });
    const { headers } = await home.ada.send(page, path, { decision: 'approved' });
    approval = done({ status: ApprovalStatus.EXPIRED });
    const after = wordsOf(await home.ada.open(headers.location!));
    expect(after).toContain('Your answer came too late The request was already settled.');
  });

  test.each([
    [ApprovalStatus.DECLINED, 'Declined'],
    [ApprovalStatus.CANCELLED, 'Withdrawn by the sender'],
  ])('no longer has buttons: %s', async (status, words) => {
    approval = done({ status, why: status === ApprovalStatus.DECLINED ? 'by_rule' : undefined });
    const page = await home.ada.open(path);
    expect(wordsOf(page)).toContain(words);
    expect(page.text).not.toContain('name="decision"');
  });

  test('has none for a person who has answered while others have not', async () => {
    approval = done({ status: ApprovalStatus.WAITING, receipt: undefined, settledAt: undefined });
    const page = await home.ada.open(path);
    expect(wordsOf(page)).toContain('You’ve answered');
    expect(page.text).not.toContain('name="decision"');
  });
});

describe('a recipient by email', () => {
  const link = `${path}?k=${key}`;

  beforeEach(() => {
    const people = [{ to: mailed, person: mailed, decision: AnswerDecision.WAITING }];
    approval = someApproval({ toYou: undefined, people });
  });

  test('sees the ask by the link, which answers nothing however often it is opened', async () => {
    for (const visitor of [home.stranger(), home.stranger(), home.ada]) {
      const page = await visitor.open(link);
      expectPage(page, 200, `You’re answering as ${mailed}`);
    }
    expect([mails, replies]).toEqual([[], []]);
    const head = await home.stranger().open(`${link}&decision=approved&do=yes`);
    expect([head.status, mails]).toEqual([200, []]);
  });

  test('answers only with the button of the page', async () => {
    const stranger = home.stranger();
    const page = await stranger.open(link);
    settled = done({ people: [{ to: mailed, person: mailed, decision: AnswerDecision.APPROVED }] });
    const answered = await stranger.send(page, path, { decision: 'approved' });
    expect(mails).toMatchObject([
      { request: { approval: id, decision: AnswerDecision.APPROVED, askDigest: someApproval().digest } },
    ]);
    expect(Buffer.from(mails[0]!.request.keyHash)).toEqual(keyHash);
    const after = await stranger.open(answered.headers.location!);
    expect(wordsOf(after)).toContain('Your answer was sent.');
    expect(after.text).toContain(`href="/r/rec_1?k=${key}"`);
  });

  test("needs the page's CSRF token, like everyone", async () => {
    const { status } = await home.stranger().post(path, { k: key, decision: 'approved' });
    expect([status, mails]).toEqual([403, []]);
  });

  test('sees nothing with another key, nor with the key of another ask', async () => {
    for (const at of [`${path}?k=wrong`, `/a/${idOfAsk(2)}?k=${key}`, `/a/x?k=${key}`]) {
      expect((await home.stranger().open(at)).status).toBe(404);
    }
    const stranger = home.stranger();
    const page = await stranger.open(link);
    const wrong = await stranger.send(page, path, { decision: 'approved', k: 'wrong' });
    expect([wrong.status, mails]).toEqual([404, []]);
  });

  test('has the same limits as everyone', async () => {
    approval = someApproval({ ...approval, freeText: true });
    const stranger = home.stranger();
    const page = await stranger.open(link);
    const again = await stranger.send(page, path, { decision: 'approved', answer: 'x'.repeat(501) });
    expect([again.status, mails]).toEqual([400, []]);
    expect(again.text).toContain(`name="k" value="${key}"`);
  });

  test('has no buttons once it is settled', async () => {
    approval = done({ people: [{ to: mailed, person: mailed, decision: AnswerDecision.WAITING }] });
    const page = await home.stranger().open(link);
    expect(page.text).not.toContain('name="decision"');
  });

  test('and their keys are not logged', () => {
    expect(home.logged.join()).not.toContain(key);
  });
});
