import { AnswerDecision, ApprovalKind, ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import { RuleAction, RulesPreset } from '@hearth/proto/approvals/v1/request_rules';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { asApp, eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { as, refused, startApprovals } from './start-approvals.ts';

/* A proposal of rules is an approval of kind `rules`, and behaves like any other approval. */

const home = await startApprovals();
afterAll(() => home.stop());

const { ASK, TURN_AWAY } = RuleAction;
const { WAITING, APPROVED, DECLINED, CANCELLED, EXPIRED } = ApprovalStatus;
const day = 86_400_000;

async function proposed() {
  const person = home.newPerson();
  const ai = home.newAi(person, { permissions: [Scope.READ, Scope.MESSAGE, Scope.APPROVE] });
  const proposal = await home.by(ai).proposeRequestRules({ preset: RulesPreset.JUST_ME });
  return { person, ai, proposal, id: proposal.id };
}

const rulesOf = (person: PersonFacts) => home.by(person).getRequestRules({});
const listed = async (caller: Caller) => (await home.by(caller).listApprovals({})).approvals;
const found = (id: string, caller: Caller) => home.by(caller).getApproval({ id });
const reply = (caller: Caller, id: string, decision = AnswerDecision.APPROVED) =>
  home.by(caller).replyApproval({ id, decision, note: 'as you say' });
const accept = (caller: Caller, id: string) => home.by(caller).acceptRequestRules({ id });

describe('a proposal in the list of approvals', () => {
  test('waits for the person, with the rows that would change in words', async () => {
    const { person, ai, id, proposal } = await proposed();
    const [forPerson, ...more] = await listed(as(person));
    expect(more).toEqual([]);
    expect(forPerson).toMatchObject({
      id,
      kind: ApprovalKind.RULES,
      status: WAITING,
      toYou: true,
      from: ai.address,
      details: expect.stringContaining('sales: is turned away'),
      expiresAt: proposal.expiresAt,
    });
    expect(Number(proposal.expiresAt!.seconds) * 1_000).toBe(home.clock.now() + 7 * day);
    expect((await listed(ai)).map((approval) => [approval.id, approval.toYou])).toEqual([[id, false]]);
    const { approvals } = await home.client.countWaiting({ owner: person.id });
    expect(approvals).toBe(1);
    const notices = await home.announced('personNotified', { person: person.id });
    expect(notices.map(({ link }) => link)).toEqual(['/rules']);
  });

  test('ends when its AI leaves the person, so that another AI can propose', async () => {
    const [revoked, unclaimed, other] = [await proposed(), await proposed(), await proposed()];
    const left = (one: typeof other) => ({ ai: one.ai.id, owner: one.person.id });
    await home.publish({ case: 'aiRevoked', value: left(revoked) });
    const { ai, owner } = left(unclaimed);
    await home.publish({ case: 'aiUnclaimed', value: { ai: { id: ai }, owner, why: 'not_my_person' } });
    for (const { person, id } of [revoked, unclaimed]) {
      await eventually(async () => (await found(id, as(person))).status === CANCELLED);
      await refused(accept(as(person), id), 'already_settled');
      const next = { preset: RulesPreset.FAMILY };
      expect(await home.by(home.newAi(person)).proposeRequestRules(next)).toMatchObject({ status: WAITING });
    }
    expect((await found(other.id, as(other.person))).status).toBe(WAITING);
  });

  test('is hidden from everybody else', async () => {
    const { id } = await proposed();
    await refused(found(id, as(home.newPerson())), 'not_found');
  });
});

describe('the answer to a proposal', () => {
  test.each([
    ['a reply', (person: PersonFacts, id: string) => reply(as(person), id)],
    ['accepting it', (person: PersonFacts, id: string) => accept(as(person), id)],
  ])('by %s changes the rules, and its answer is signed', async (_, answer) => {
    const { person, ai, id } = await proposed();
    await answer(person, id);
    const rules = await rulesOf(person);
    expect(rules).toMatchObject({ preset: RulesPreset.JUST_ME, rules: { offer: { action: TURN_AWAY } } });
    expect(rules.proposal).toBeUndefined();
    expect(await found(id, ai)).toMatchObject({
      status: APPROVED,
      signedAnswer: { type: 'approval.answer', ask: { kind: 'rules' } },
    });
    await refused(accept(as(person), id), 'already_settled');
    await refused(reply(as(person), id), 'already_settled');
    const changed = await home.announced('requestRulesChanged', { person: person.id });
    expect(changed).toHaveLength(1);
    // The person's AI asked, so it stays among the person's own asks.
    expect((await listed(as(person))).map(({ status }) => status)).toEqual([APPROVED]);
  });

  test('that declines changes nothing, whichever call is used', async () => {
    const one = await proposed();
    await reply(as(one.person), one.id, AnswerDecision.DECLINED);
    const two = await proposed();
    await home.by(two.person).declineRequestRules({ id: two.id });
    for (const { ai, id, person } of [one, two]) {
      const { rules, proposal } = await rulesOf(person);
      expect([rules?.offer?.action, proposal]).toEqual([ASK, undefined]);
      expect((await found(id, ai)).status).toBe(DECLINED);
    }
  });

  test('must be the person’s own: an AI with approve, or an app acting for nobody, cannot give it', async () => {
    const { person, ai, id } = await proposed();
    for (const answer of [reply, accept]) await refused(answer(ai, id), 'needs_person');
    await refused(reply(home.newAi(person, { permissions: [Scope.APPROVE] }), id), 'needs_person');
    await refused(accept(asApp(home.app), id), 'bad_field');
    for (const one of [id, 'apr_x']) await refused(accept(as(home.newPerson()), one), 'not_found');
    expect((await rulesOf(person)).rules?.offer?.action).toBe(ASK);
  });

  test('counts once among many at once', async () => {
    const { person, id } = await proposed();
    const words = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => accept(as(person), id)),
      ...Array.from({ length: 4 }, () => reply(as(person), id, AnswerDecision.DECLINED)),
    ]);
    expect(words.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const approved = (await found(id, as(person))).status === APPROVED;
    expect((await rulesOf(person)).preset).toBe(approved ? RulesPreset.JUST_ME : undefined);
  });
});

describe('a proposal that ends without an answer', () => {
  test('is withdrawn by its maker, and makes room for another', async () => {
    const { person, ai, id } = await proposed();
    await expect(home.by(ai).proposeRequestRules({ preset: RulesPreset.FAMILY })).rejects.toMatchObject({
      message: expect.stringContaining('waits for your person already'),
      details: { code: 'cap_reached' },
    });
    expect((await home.by(ai).cancelApproval({ id })).status).toBe(CANCELLED);
    await refused(accept(as(person), id), 'already_settled');
    const wanted = { preset: RulesPreset.FAMILY, requestId: 'calmer' };
    const next = await home.by(ai).proposeRequestRules(wanted);
    expect((await rulesOf(person)).proposal?.id).toBe(next.id);
    await accept(as(person), next.id);
    expect((await home.by(ai).proposeRequestRules(wanted)).id).toBe(next.id);
    await refused(
      home.by(ai).proposeRequestRules({ ...wanted, preset: RulesPreset.JUST_ME }),
      'request_id_reused',
    );
  });

  test('expires after seven days, on reading and by the job', async () => {
    const { person, ai, id } = await proposed();
    home.clock.advance(7 * day);
    expect((await rulesOf(person)).proposal).toBeUndefined();
    expect((await found(id, ai)).status).toBe(EXPIRED);
    await refused(accept(as(person), id), 'already_settled');
    expect((await rulesOf(person)).rules?.offer?.action).toBe(ASK);

    const other = await proposed();
    home.clock.advance(7 * day);
    await eventually(async () => (await statusesOf(other.person)).join() === 'expired');
    await eventually(async () => (await found(other.id, other.ai)).signedAnswer !== undefined);
    const settled = await home.announced('approvalSettled', { approval: other.id });
    expect(settled.map(({ status }) => status)).toEqual(['expired']);
  });

  test('makes room for another as soon as it expires', async () => {
    const { ai, person, id } = await proposed();
    home.clock.advance(7 * day);
    const next = await home.by(ai).proposeRequestRules({ preset: RulesPreset.FAMILY });
    expect(next.id).not.toBe(id);
    expect((await rulesOf(person)).proposal?.id).toBe(next.id);
  });
});

async function statusesOf(person: PersonFacts): Promise<string[]> {
  const rows = await home.database.db.query<{ status: string }>({
    text: 'select status from approvals.rule_proposals where person = $1',
    values: [person.id],
  });
  return rows.map(({ status }) => status);
}
