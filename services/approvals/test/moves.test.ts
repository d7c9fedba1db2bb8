import { printId } from '@hearth/ids';
import { AnswerDecision, type Approval, ApprovalStatus, Needs } from '@hearth/proto/approvals/v1/approvals';
import { RuleAction } from '@hearth/proto/approvals/v1/request_rules';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ADULT, as, at, CHILD, per, refused, startApprovals, uuidOf } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const { APPROVED, DECLINED } = AnswerDecision;

function family() {
  const { guardian: gus, child: ida } = home.newFamily({ name: 'Ida Lovelace' });
  return { gus, gwen: home.newPerson(), ida };
}

/** Changes a person's facts in identity, and publishes the event. */
async function change(person: PersonFacts, facts: Partial<PersonFacts>): Promise<void> {
  Object.assign(person, facts);
  home.signal('people', person.id);
  await home.publish({ case: 'personChanged', value: { person: { id: person.id } } });
}

const reply = (id: string, person: PersonFacts, decision = APPROVED) =>
  home.by(person).replyApproval({ id, decision });
const requestsOf = async (caller: Caller) =>
  (await home.by(caller).listRequests({})).requests.map(({ id }) => id);
const listOf = async (person: PersonFacts) =>
  (await home.by(person).listApprovals({})).approvals.map(({ id }) => id);
const get = (id: string, person: PersonFacts) => home.by(person).getApproval({ id });
const noticesOf = async (id: string) =>
  (await home.announced('personNotified', { item: uuidOf(id) })).map(({ person, about }) => [person, about]);

describe('an ask from a stranger to a person under 18', () => {
  async function asked() {
    const all = family();
    const eve = home.newPerson({ app: home.uuid() });
    const rules = { other: { action: RuleAction.ASK } };
    await home.by(all.gus).setRequestRules({ rules, person: per(all.ida) });
    const { id } = await home.ask(eve, { to: [`@${all.ida.handle}`] });
    return { ...all, eve, id };
  }

  test('moves to the new guardian, who alone can answer', async () => {
    const { gus, gwen, ida, id } = await asked();
    expect(await requestsOf(as(gus))).toEqual([id]);
    await change(ida, { guardians: [gwen.id] });
    await eventually(async () => (await requestsOf(as(gwen))).includes(id));
    expect(await requestsOf(as(gus))).toEqual([]);
    expect(await noticesOf(id)).toEqual([
      [gus.id, ida.id],
      [gwen.id, ida.id],
    ]);
    await refused(get(id, gus), 'not_found');
    await refused(reply(id, gus), 'not_found');
    await refused(reply(id, ida), 'not_found');
    const settled = await reply(id, gwen);
    expect(settled.status).toBe(ApprovalStatus.APPROVED);
    expect(JSON.stringify(settled.signedAnswer)).not.toContain(ida.handle);
  });

  test('cannot be answered by the old guardian even before it has moved', async () => {
    const { gus, gwen, ida, id } = await asked();
    Object.assign(ida, { guardians: [gwen.id] });
    home.signal('people', ida.id);
    await eventually(() =>
      reply(id, gus, DECLINED).then(
        () => Promise.reject(new Error('it was answered')),
        (error) => error.kind === 'not_found',
      ),
    );
    expect(await requestsOf(as(gus))).toEqual([]);
  });

  test('ends as declined when the new guardian blocks the asker, as if by a rule', async () => {
    const { gwen, eve, ida, id } = await asked();
    await home.by(gwen).block({ target: `@${eve.handle}` });
    await change(ida, { guardians: [gwen.id] });
    await eventually(async () => (await get(id, eve)).status === ApprovalStatus.DECLINED);
    expect((await get(id, eve)).why).toBe('by_rule');
    expect(await requestsOf(as(gwen))).toEqual([]);
    await refused(get(id, gwen), 'not_found');
  });

  test('ends as declined without a guardian, and goes to the child once of age', async () => {
    const alone = await asked();
    await change(alone.ida, { guardians: [] });
    await eventually(async () => (await get(alone.id, alone.eve)).status === ApprovalStatus.DECLINED);
    const grown = await asked();
    await change(grown.ida, { guardians: [], ageBand: ADULT });
    await eventually(async () => (await requestsOf(as(grown.ida))).includes(grown.id));
    expect(await requestsOf(as(grown.gus))).toEqual([]);
    expect((await reply(grown.id, grown.ida)).status).toBe(ApprovalStatus.APPROVED);
  });

  test('is hidden from every former guardian from the day the child comes of age', async () => {
    const { gus, ida, id } = await asked();
    home.signal('people', ida.id);
    Object.assign(ida, { guardians: [], ageBand: ADULT });
    await eventually(async () => !(await requestsOf(as(gus))).includes(id));
    expect(await listOf(gus)).not.toContain(id);
    await refused(get(id, gus), 'not_found');
  });

  test('goes to the child when the asker became a guardian', async () => {
    const { eve, ida, id } = await asked();
    await change(ida, { guardians: [eve.id] });
    await eventually(async () => (await listOf(ida)).includes(id));
    expect(await requestsOf(as(ida))).toEqual([]);
    expect((await reply(id, ida)).status).toBe(ApprovalStatus.APPROVED);
  });
});

describe('an ask about a person under 18', () => {
  async function asked(guardians: PersonFacts[], needs = Needs.ANY) {
    const ida = home.newPerson({ ageBand: CHILD, guardians: guardians.map(({ id }) => id) });
    const friend = home.newPerson();
    const group = printId('grp', home.newGroup(ida, friend).id);
    const approval = await home.ask(friend, { about: per(ida), group, needs });
    return { ida, friend, approval, id: approval.id };
  }
  const to = ({ people }: Approval) => people.map((person) => person.to);

  test('is hidden from every former guardian from the day the child comes of age', async () => {
    const { gus } = family();
    const { ida, id } = await asked([gus]);
    expect(await listOf(gus)).toContain(id);
    Object.assign(ida, { guardians: [], ageBand: ADULT });
    home.signal('people', ida.id);
    await eventually(async () => !(await listOf(gus)).includes(id));
    await refused(get(id, gus), 'not_found');
  });

  test('moves to the new guardian, who must tap themselves', async () => {
    const { gus, gwen } = family();
    const { ida, friend, approval, id } = await asked([gus]);
    await change(ida, { guardians: [gwen.id] });
    await eventually(async () => (await listOf(gwen)).includes(id));
    expect(await listOf(gus)).not.toContain(id);
    await refused(get(id, gus), 'not_found');
    await refused(reply(id, gus), 'not_found');
    expect(await noticesOf(id)).toEqual([
      [gus.id, ida.id],
      [gwen.id, ida.id],
    ]);
    const seen = await get(id, friend);
    expect([to(seen), seen.digest]).toEqual([at(gwen), approval.digest]);
    const ai = home.newAi(gwen, { permissions: [Scope.READ, Scope.MESSAGE, Scope.APPROVE] });
    await expect(home.by(ai).replyApproval({ id, decision: APPROVED })).rejects.toThrow(
      expect.objectContaining({ details: expect.objectContaining({ code: 'needs_person' }) }),
    );
    const settled = await reply(id, gwen);
    expect(settled.signedAnswer).toMatchObject({ status: 'approved', answers: [{ to: `@${gwen.handle}` }] });
    expect(JSON.stringify(settled.signedAnswer)).not.toContain(gus.handle);
  });

  test('waits for the other guardians when one no longer guards the child', async () => {
    const [gus, gil] = [home.newPerson(), home.newPerson()];
    const { ida, friend, id } = await asked([gus, gil], Needs.ALL);
    await change(ida, { guardians: [gil.id] });
    await eventually(async () => to(await get(id, friend)).length === 1);
    expect(await get(id, friend)).toMatchObject({ status: ApprovalStatus.WAITING });
    expect((await reply(id, gil)).status).toBe(ApprovalStatus.APPROVED);
  });

  test.each([
    // With `any`, a guardian's first answer would have settled it.
    [Needs.ALL, APPROVED, ApprovalStatus.APPROVED],
  ])('settles with the existing answers when no other guardian is left: %p', async (needs, given, status) => {
    const [gus, gil] = [home.newPerson(), home.newPerson()];
    const { ida, friend, id } = await asked([gus, gil], needs);
    expect((await reply(id, gil, given)).status).toBe(ApprovalStatus.WAITING);
    await change(ida, { guardians: [gil.id] });
    await eventually(async () => (await get(id, friend)).status === status);
    const settled = await get(id, friend);
    expect([to(settled), settled.signedAnswer]).toMatchObject([
      at(gil),
      { answers: [{ to: `@${gil.handle}` }] },
    ]);
  });

  test('moves once however often the change is announced, and keeps an answer already given', async () => {
    const [gus, gil, gwen] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const { ida, friend, id } = await asked([gus, gil], Needs.ALL);
    await reply(id, gil);
    for (let times = 0; times < 3; times += 1) await change(ida, { guardians: [gwen.id] });
    await eventually(async () => to(await get(id, friend)).includes(`@${gwen.handle}`));
    expect(to(await get(id, friend))).toEqual(at(gwen, gil));
    expect((await noticesOf(id)).filter(([person]) => person === gwen.id)).toHaveLength(1);
  });
});

describe('a request to let a person under 18 join a group', () => {
  test('goes to the new guardian, and to organizers as before', async () => {
    const { gus, gwen, ida } = family();
    const organizer = home.newPerson();
    const ids = [];
    for (const [role, person] of [
      ['guardian', gus],
      ['organizer', organizer],
    ] as const) {
      const id = home.uuid();
      const group = home.newBoard(organizer).id;
      const joining = { id, group, invite: home.uuid(), person: ida.id, role, to: [person.id] };
      const expiresAt = { seconds: BigInt(home.clock.now() / 1_000 + 86_400), nanos: 0 };
      await home.fromGroups.askJoin({ ...joining, expiresAt });
      ids.push(printId('apr', id));
    }
    const [guards, organizes] = ids as [string, string];
    await change(ida, { guardians: [gwen.id] });
    await eventually(async () => (await listOf(gwen)).includes(guards));
    expect(await listOf(gwen)).not.toContain(organizes);
    expect(await listOf(gus)).toEqual([]);
    expect(await listOf(organizer)).toEqual([organizes]);
    await refused(reply(guards, gus), 'not_found');
    await reply(guards, gwen);
    await reply(organizes, organizer);
    const announced = await home.announced('approvalSettled');
    expect(announced.filter(({ approval }) => approval === guards)).toMatchObject([
      { status: 'approved', answeredBy: gwen.id, joiner: ida.id },
    ]);
  });
});

describe('a request to join a group that was archived', () => {
  test('refuses a yes until the group is restored, and signs none', async () => {
    const [organizer, ida] = [home.newPerson(), home.newPerson()];
    const group = home.newBoard(organizer);
    const id = home.uuid();
    const joining = { id, group: group.id, invite: home.uuid(), person: ida.id, role: 'organizer' };
    const expiresAt = { seconds: BigInt(home.clock.now() / 1_000 + 86_400), nanos: 0 };
    await home.fromGroups.askJoin({ ...joining, to: [organizer.id], expiresAt });
    group.archived = true;
    await refused(reply(printId('apr', id), organizer), 'archived');
    const kept = [...home.world.signer.records.values()].filter(({ json }) =>
      json.includes(printId('apr', id)),
    );
    expect(kept).toEqual([]);
    group.archived = false;
    await reply(printId('apr', id), organizer);
  });
});

describe('a former organizer', () => {
  test('cannot answer a request to join or a plan', async () => {
    const [organizer, former, ida] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = home.newBoard(organizer);
    const asked = { group: group.id, to: [organizer.id, former.id] };
    const expiresAt = { seconds: BigInt(home.clock.now() / 1_000 + 86_400), nanos: 0 };
    const join = home.uuid();
    const joining = { id: join, invite: home.uuid(), person: ida.id, role: 'organizer' };
    await home.fromGroups.askJoin({ ...joining, ...asked, expiresAt });
    const plan = home.uuid();
    const planned = { id: plan, title: 'Rehearsal', details: '', expiresAt, ...asked };
    await home.fromDecisions.askPlan(planned, { caller: as(ida) });
    for (const id of [join, plan]) {
      const approval = printId('apr', id);
      for (const decision of [APPROVED, DECLINED])
        await refused(reply(approval, former, decision), 'no_permission');
      await reply(approval, organizer);
    }
  });
});

describe('an ask waiting at a front door', () => {
  async function atDoor() {
    const [ben, eve] = [home.newPerson(), home.newPerson()];
    const door = home.newAi(ben);
    const rules = { other: { action: RuleAction.FRONT_DOOR } };
    const frontDoor = printId('ai', door.id);
    await home.by(ben).setRequestRules({ rules, frontDoor });
    const { id } = await home.ask(eve, { to: at(ben) });
    expect(await requestsOf(door)).toEqual([id]);
    expect(await requestsOf(as(ben))).toEqual([]);
    return { ben, eve, door, id };
  }
  const changed = (ai: Caller) => home.publish({ case: 'aiChanged', value: { ai: ai.id } });

  test('is hidden from the AI there once it has another owner, even before it has moved', async () => {
    const { door, id } = await atDoor();
    const { id: owner } = home.newPerson();
    home.world.changeAi(door, { owner });
    const moved = { ...door, person: owner };
    expect(await requestsOf(moved)).toEqual([]);
    await refused(home.by(moved).getApproval({ id }), 'not_found');
    await refused(home.by(moved).replyApproval({ id, decision: DECLINED }), 'not_found');
  });

  test.each<[string, (door: Caller) => Promise<unknown>]>([
    [
      'may no longer send messages',
      async (door) => {
        home.world.changeAi(door, { permissions: [Scope.READ] });
        await changed(door);
      },
    ],
    [
      'no longer has an owner',
      async (door) => {
        home.world.changeAi(door, { owner: '' });
        const value = { ai: { id: door.id }, owner: door.person, why: 'not_my_person' };
        await home.publish({ case: 'aiUnclaimed', value });
      },
    ],
    [
      'belongs to somebody else',
      async (door) => {
        home.world.changeAi(door, { owner: home.newPerson().id });
        await home.publish({ case: 'aiClaimed', value: { ai: { id: door.id } } });
      },
    ],
    ['is switched off', (door) => home.publish({ case: 'aiRevoked', value: { ai: door.id } })],
  ])('goes to the person when the AI there %s, and notifies them', async (_, lose) => {
    const { ben, door, id } = await atDoor();
    await lose(door);
    await eventually(async () => (await requestsOf(as(ben))).includes(id));
    expect(await requestsOf(door)).toEqual([id]);
    expect(await noticesOf(id)).toEqual([[ben.id, '']]);
    expect((await reply(id, ben)).status).toBe(ApprovalStatus.APPROVED);
  });

  test('stays while the AI may still see it', async () => {
    const [one, other] = [await atDoor(), await atDoor()];
    home.world.changeAi(one.door, { permissions: [Scope.MESSAGE] });
    await changed(one.door);
    home.world.changeAi(other.door, { permissions: [] });
    await changed(other.door);
    await eventually(async () => (await requestsOf(as(other.ben))).includes(other.id));
    expect(await requestsOf(as(one.ben))).toEqual([]);
    expect(await requestsOf(one.door)).toEqual([one.id]);
    expect(await noticesOf(one.id)).toEqual([]);
  });
});
