import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { AnswerDecision, ApprovalStatus, Needs } from '@hearth/proto/approvals/v1/approvals';
import { RuleAction } from '@hearth/proto/approvals/v1/request_rules';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, describe, expect, test } from '@jest/globals';
import { as, CHILD, per, refused, startApprovals, uuidOf } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const { APPROVED, DECLINED } = AnswerDecision;

/** A child with two guardians, in a group with the asker. */
function family(facts: object = {}) {
  const guardians = [home.newPerson(), home.newPerson()] as const;
  const child = home.newPerson({ ageBand: CHILD, guardians: guardians.map(({ id }) => id), ...facts });
  const other = home.newPerson();
  const group = home.newGroup(child, other);
  return { guardians, child, other, group: group.id, address: printId('grp', group.id) };
}

const listed = async (person: PersonFacts) =>
  (await home.by(person).listApprovals({ status: ApprovalStatus.WAITING })).approvals.map(({ id }) => id);
const answer = (who: PersonFacts, id: string, decision: AnswerDecision) =>
  home.by(who).replyApproval({ id, decision });
const inADay = () => timestampFromMs(home.clock.now() + 86_400_000);

/** Creates an ask by each operation that asks a child's guardians. */
const asks = {
  'an ask about the child': async ({ address, child, other }: ReturnType<typeof family>) =>
    (await home.ask(other, { about: per(child), group: address })).id,
  'a wish to join': async ({ child, group, guardians }: ReturnType<typeof family>) => {
    const id = home.uuid();
    await home.fromGroups.askJoin({
      ...{ id, group, invite: home.uuid(), person: child.id, role: 'guardian' },
      ...{ to: guardians.map((guardian) => guardian.id), expiresAt: inADay() },
    });
    return printId('apr', id);
  },
  'an agreement of the child’s AI': async ({ child }: ReturnType<typeof family>) => {
    const [id, ai] = [home.uuid(), home.newAi(child)];
    const terms = { title: 'Sign?', details: 'Terms', owner: child.id, expiresAt: inADay() };
    await home.fromDecisions.askAgreement({ id, ...terms }, { caller: ai });
    return printId('apr', id);
  },
};

describe.each(Object.entries(asks))('%s', (_, ask) => {
  test.each([
    ['yes', APPROVED, ApprovalStatus.APPROVED],
    ['no', DECLINED, ApprovalStatus.DECLINED],
  ])(
    'is settled by the first %s of a guardian, and no longer waits for the other',
    async (_word, decision, status) => {
      for (const first of [0, 1] as const) {
        const of = family();
        const [one, other] = [of.guardians[first], of.guardians[1 - first]!];
        const id = await ask(of);
        expect([await listed(one), await listed(other)]).toEqual([[id], [id]]);
        expect(await answer(one, id, decision)).toMatchObject({ status });
        expect([await listed(one), await listed(other)]).toEqual([[], []]);
        await refused(answer(other, id, decision === APPROVED ? DECLINED : APPROVED), 'already_settled');
        const [settled] = await home.announced('approvalSettled', { approval: id });
        expect(settled).toMatchObject({ answeredBy: one.id });
      }
    },
  );

  test('stays with one guardian when the other no longer guards the child', async () => {
    const of = family();
    const [gone, stays] = of.guardians;
    const id = await ask(of);
    home.world.changePerson(of.child, { guardians: [stays.id] });
    await refused(answer(gone, id, APPROVED), 'not_found');
    expect([await listed(gone), await listed(stays)]).toEqual([[], [id]]);
    await home.publish({
      case: 'personChanged',
      value: { person: { id: of.child.id }, changed: ['guardian'] },
    });
    await refused(answer(gone, id, APPROVED), 'not_found');
    expect(await answer(stays, id, DECLINED)).toMatchObject({ status: ApprovalStatus.DECLINED });
  });

  test('ends when neither guards the child any more', async () => {
    const of = family();
    const id = await ask(of);
    home.world.changePerson(of.child, { guardians: [] });
    for (const guardian of of.guardians) await refused(answer(guardian, id, APPROVED), 'not_found');
    await home.publish({
      case: 'personChanged',
      value: { person: { id: of.child.id }, changed: ['guardian'] },
    });
    const [settled] = await home.announced('approvalSettled', { approval: id });
    expect(settled).toMatchObject({ status: 'declined', answeredBy: '' });
  });
});

test('needs the yes of each guardian when it asks for all', async () => {
  const { address, child, guardians, other } = family();
  const { id } = await home.ask(other, { about: per(child), group: address, needs: Needs.ALL });
  expect(await answer(guardians[0], id, APPROVED)).toMatchObject({ status: ApprovalStatus.WAITING });
  expect(await answer(guardians[1], id, APPROVED)).toMatchObject({ status: ApprovalStatus.APPROVED });
});

test('a no from one organizer declines a request to join, as review_invite does', async () => {
  const [joiner, one, other] = [home.newPerson(), home.newPerson(), home.newPerson()];
  const id = home.uuid();
  await home.fromGroups.askJoin({
    ...{ id, group: home.newBoard(one, other).id, invite: home.uuid(), person: joiner.id, role: 'organizer' },
    ...{ to: [one.id, other.id], expiresAt: inADay() },
  });
  const printed = printId('apr', id);
  expect(await answer(other, printed, DECLINED)).toMatchObject({ status: ApprovalStatus.DECLINED });
  expect(await listed(one)).toEqual([]);
  const [settled] = await home.announced('approvalSettled', { approval: printed });
  expect(settled).toMatchObject({ status: 'declined', answeredBy: other.id });
});

test('recipients who are not guardians answer for themselves', async () => {
  const [asker, one, other] = [home.newPerson(), home.newPerson(), home.newPerson()];
  home.newGroup(asker, one, other);
  const { id } = await home.ask(asker, { to: [`@${one.handle}`, `@${other.handle}`] });
  expect(await answer(one, id, DECLINED)).toMatchObject({ status: ApprovalStatus.WAITING });
});

describe('a request for a child', () => {
  test('goes to the guardian who is not suspended, and to the first again afterwards', async () => {
    const { address, child, guardians, other } = family({ app: '', email: '' });
    const [first, second] = guardians;
    home.world.changePerson(first, { suspendedUntil: timestampFromMs(home.clock.now() + 60_000) });
    const ask = async () =>
      (await home.ask(other, { to: [home.world.shieldedFor(as(other), child)], group: address })).id;
    const id = await ask();
    expect([await listed(first), await listed(second)]).toEqual([[], [id]]);
    expect(await answer(second, id, APPROVED)).toMatchObject({ status: ApprovalStatus.APPROVED });
    home.clock.advance(60_000);
    const later = await ask();
    expect([await listed(first), await listed(second)]).toEqual([[later], []]);
  });

  test('moves to the other guardian when the first is suspended while it waits', async () => {
    const { address, child, guardians, other } = family({ app: '', email: '' });
    const [first, second] = guardians;
    const to = [home.world.shieldedFor(as(other), child)];
    const { id } = await home.ask(other, { to, group: address });
    expect([await listed(first), await listed(second)]).toEqual([[id], []]);
    home.world.changePerson(first, { suspendedUntil: timestampFromMs(home.clock.now() + 60_000) });
    await home.publish({
      case: 'personChanged',
      value: { person: { id: first.id }, changed: ['suspended'], wards: [child.id] },
    });
    expect([await listed(first), await listed(second)]).toEqual([[], [id]]);
    await refused(answer(first, id, APPROVED), 'not_found');
    expect(await answer(second, id, APPROVED)).toMatchObject({ status: ApprovalStatus.APPROVED });
    const told = (await home.announced('personNotified', { item: uuidOf(id) })).map(({ person }) => person);
    expect(told).toEqual([first.id, second.id]);
  });

  test('follows rules that either guardian may set', async () => {
    const { child, guardians } = family();
    for (const [index, person] of guardians.entries()) {
      const action = index === 0 ? RuleAction.ASK : RuleAction.TURN_AWAY;
      await home.by(person).setRequestRules({ person: per(child), rules: { personal: { action } } });
      const seen = await home.by(guardians[1 - index]!).getRequestRules({ person: per(child) });
      expect(seen.rules).toMatchObject({ personal: { action } });
    }
  });
});

test('both guardians see what was answered for a child', async () => {
  const { address, child, guardians, other } = family();
  const { id } = await home.ask(other, { about: per(child), group: address });
  await answer(guardians[1], id, APPROVED);
  for (const guardian of guardians) {
    const { approvals } = await home.by(guardian).listAnsweredFor({ child: child.id });
    expect(approvals.map((each) => each.id)).toEqual([id]);
  }
});
