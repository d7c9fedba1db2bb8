import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { AnswerDecision, ApprovalKind, ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import type { ResponseMetadata } from '@hearth/rpc';
import { asApp, eventually, everyPage } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { as, at, refused, startApprovals, uuidOf, type Who, withScopes } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());
beforeEach(() => {
  home.peers.back('federation');
  home.peers.back('delivery');
});

const { APPROVED, DECLINED } = AnswerDecision;
const day = 86_400_000;

/** Two people who share a group. */
function friends(): [PersonFacts, PersonFacts] {
  const [one, other] = [home.newPerson(), home.newPerson()];
  home.newGroup(one, other);
  return [one, other];
}
const get = (id: string, person: PersonFacts) => home.by(person).getApproval({ id });
const settledEvents = async (id: string) => await home.announced('approvalSettled', { approval: id });

describe('cancelling', () => {
  test('works for the asker and their person, and gives the same answer again', async () => {
    const [asker, other] = friends();
    const ai = home.newAi(asker);
    const approval = await home.ask(ai, { to: at(other) });
    for (const caller of [as(other), home.newAi(asker)]) {
      await refused(home.by(caller).cancelApproval({ id: approval.id }), 'forbidden');
    }
    const cancelled = await home.by(asker).cancelApproval({ id: approval.id });
    expect(cancelled.status).toBe(ApprovalStatus.CANCELLED);
    expect(cancelled.signedAnswer).toMatchObject({ status: 'cancelled', answers: [] });
    expect(await home.by(ai).cancelApproval({ id: approval.id })).toEqual(
      await home.by(ai).getApproval({ id: approval.id }),
    );
    expect(await settledEvents(approval.id)).toHaveLength(1);
    await refused(home.by(other).replyApproval({ id: approval.id, decision: APPROVED }), 'already_settled');
  });
});

describe('an ask to the organizers of a group', () => {
  const titles = async (person: PersonFacts) => {
    const { approvals } = await home.by(person).listApprovals({});
    const { approvals: waiting } = await home.fromGateway.countWaiting({
      owner: person.id,
      person: person.id,
    });
    return [approvals.map(({ title }) => title), waiting];
  };

  test('follows the current organizers: a former one loses sight of it, a new one is asked and notified', async () => {
    const [joiner, first, second] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const { facts, organizers } = home.world.newGroup([first, second]);
    organizers.add(first.id);
    const id = home.uuid();
    const expiresAt = { seconds: BigInt(home.clock.now() / 1_000 + 86_400), nanos: 0 };
    const ask = (...to: PersonFacts[]) =>
      home.fromGroups.askJoin({
        ...{ id, group: facts.id, invite: home.uuid(), person: joiner.id, role: 'organizer', expiresAt },
        to: to.map((person) => person.id),
      });
    await ask(first);
    const title = `${joiner.name} wants to join ${facts.name}`;
    expect(await titles(first)).toEqual([[title], 1]);
    organizers.delete(first.id);
    organizers.add(second.id);
    for (let times = 0; times < 2; times += 1) await ask(second);
    expect(await titles(first)).toEqual([[], 0]);
    expect(await titles(second)).toEqual([[title], 1]);
    const printed = printId('apr', id);
    await refused(home.by(first).getApproval({ id: printed }), 'not_found');
    await refused(home.by(first).replyApproval({ id: printed, decision: APPROVED }), 'not_found');
    expect(await home.announced('personNotified', { item: id })).toHaveLength(2);
    const settled = await home.by(second).replyApproval({ id: printed, decision: APPROVED });
    expect(settled.status).toBe(ApprovalStatus.APPROVED);
    await ask(first);
    expect(await titles(first)).toEqual([[], 0]);
  });

  test('stops waiting when the group is archived, and continues after a restore', async () => {
    const { guardian, child } = home.newFamily();
    const asker = home.newPerson();
    const group = home.newGroup(asker, child);
    const about = { to: [], about: `@${child.handle}`, group: printId('grp', group.id) };
    const { id } = await home.ask(asker, about);
    const archived = { case: 'groupArchived', value: { group: { id: group.id }, why: 'ended' } } as const;
    const { at: then } = await home.publish(archived);
    expect((await get(id, asker)).status).toBe(ApprovalStatus.CANCELLED);
    expect(await titles(guardian)).toEqual([[], 0]);
    home.clock.advance(1_000);
    const later = await home.ask(asker, about);
    await home.publish(archived, { at: then! });
    expect((await get(later.id, asker)).status).toBe(ApprovalStatus.WAITING);
  });
});

describe('the start of a plan', () => {
  test('is approved by any organizer, once', async () => {
    const [proposer, first] = friends();
    const second = home.newPerson();
    const group = home.newBoard(proposer, first, second);
    const id = home.uuid();
    const request = {
      id,
      group: group.id,
      to: [first.id, second.id],
      title: 'Rehearsal',
      details: 'Mon, 3 May 2027',
      expiresAt: { seconds: BigInt(home.clock.now() / 1_000 + 86_400), nanos: 0 },
    };
    for (let times = 0; times < 2; times += 1)
      await home.fromDecisions.askPlan(request, { caller: home.newAi(proposer) });
    const approval = printId('apr', id);
    const shown = await get(approval, first);
    expect(shown).toMatchObject({
      kind: ApprovalKind.PLAN,
      title: 'Rehearsal',
      group: { name: group.name },
      people: [{ to: at(first)[0] }, { to: at(second)[0] }],
    });
    expect((await get(approval, proposer)).status).toBe(ApprovalStatus.WAITING);
    await home.by(second).replyApproval({ id: approval, decision: APPROVED });
    expect(await settledEvents(approval)).toMatchObject([{ kind: 'plan', status: 'approved' }]);
    await refused(
      home.fromDecisions.askPlan({ ...request, id: 'x' }, { caller: as(proposer) }),
      'bad_request',
    );
    await refused(home.fromGroups.askPlan(request, { caller: as(proposer) }), 'forbidden');
  });
});

describe('expiry', () => {
  test('settles the ask for everybody at the deadline, and is announced once', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(asker, { to: at(other) });
    home.clock.advance(7 * day - 1);
    expect((await get(approval.id, other)).status).toBe(ApprovalStatus.WAITING);
    home.clock.advance(1);
    await refused(home.by(other).replyApproval({ id: approval.id, decision: APPROVED }), 'already_settled');
    const expired = await get(approval.id, asker);
    expect(expired).toMatchObject({ status: ApprovalStatus.EXPIRED, signedAnswer: { status: 'expired' } });
    expect(await settledEvents(approval.id)).toHaveLength(1);
    const list = await home.by(other).listApprovals({});
    expect(list.approvals.map(({ id }) => id)).not.toContain(approval.id);
  });

  test('happens by the job when nobody looks', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(asker, { to: at(other) });
    home.clock.advance(8 * day);
    await eventually(async () => (await settledEvents(approval.id)).length === 1);
    expect((await settledEvents(approval.id))[0]?.status).toBe('expired');
  });
});

describe('while the federation service is away', () => {
  test('an answer counts but is not announced; it is signed and announced once afterwards', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(asker, { to: at(other) });
    home.peers.away('federation');
    const settled = await home.by(other).replyApproval({ id: approval.id, decision: APPROVED });
    expect(settled.status).toBe(ApprovalStatus.APPROVED);
    expect(settled.signedAnswer).toBeUndefined();
    expect(settled.receipt).toBeUndefined();
    expect(await settledEvents(approval.id)).toHaveLength(0);
    home.clock.advance(60_000);
    home.peers.back('federation');
    await eventually(async () => (await settledEvents(approval.id)).length === 1);
    const signed = await get(approval.id, asker);
    expect(signed.signedAnswer).toMatchObject({ status: 'approved' });
    expect(signed.signedAnswer).toMatchObject({
      settled_at: new Date(home.clock.now() - 60_000).toISOString(),
    });
    await get(approval.id, asker);
    expect(await settledEvents(approval.id)).toHaveLength(1);
  });

  test('a yes is void when the group was archived before it was signed, and no yes is accepted afterwards', async () => {
    const [proposer, organizer] = friends();
    const group = home.newBoard(proposer, organizer);
    const expiresAt = { seconds: BigInt(home.clock.now() / 1_000 + 86_400), nanos: 0 };
    const request = { group: group.id, to: [organizer.id], title: 'Rehearsal', details: '', expiresAt };
    const [early, late] = [home.uuid(), home.uuid()];
    for (const id of [early, late])
      await home.fromDecisions.askPlan({ id, ...request }, { caller: as(proposer) });
    const joining = { id: home.uuid(), invite: home.uuid(), person: home.newPerson().id, role: 'organizer' };
    await home.fromGroups.askJoin({ ...joining, ...request });
    home.peers.away('federation');
    const answered = [early, joining.id].map((id) => printId('apr', id));
    for (const id of answered) await home.by(organizer).replyApproval({ id, decision: APPROVED });
    group.archived = true;
    home.clock.advance(60_000);
    home.peers.back('federation');
    const last = { id: printId('apr', late), decision: APPROVED };
    await refused(home.by(organizer).replyApproval(last), 'archived');
    for (const id of answered) {
      await eventually(async () => (await settledEvents(id)).length === 1);
      expect(await settledEvents(id)).toMatchObject([{ status: 'approved', void: 'archived' }]);
      const { signedAnswer, void: why } = await get(id, organizer);
      expect([why, signedAnswer]).toEqual(['archived', expect.objectContaining({ void: 'archived' })]);
    }
  });

  describe('a yes that another service carries out is void where, before it was signed,', () => {
    const expiresAt = () => ({ seconds: BigInt(home.clock.now() / 1_000 + 86_400), nanos: 0 });

    /** Gives a yes that stays unsigned, since federation is down. */
    async function unsigned(kind: 'plan' | 'join' | 'child' | 'agreement', by?: 'ai') {
      const [asker, organizer] = friends();
      const group = home.newBoard(organizer);
      const { guardian, child } = home.newFamily({ app: '', email: '' });
      const bot = home.newAi(organizer);
      const helper = home.newAi(organizer, {}, { scopes: [Scope.READ, Scope.APPROVE] });
      home.world.changeAi(helper, { permissions: [Scope.READ, Scope.APPROVE] });
      const id = home.uuid();
      const request = { id, title: 'Rehearsal', details: '', expiresAt: expiresAt() };
      const joining = { ...request, group: group.id, invite: home.uuid() };
      if (kind === 'plan')
        await home.fromDecisions.askPlan(
          { ...request, group: group.id, to: [organizer.id] },
          { caller: as(asker) },
        );
      if (kind === 'join')
        await home.fromGroups.askJoin({
          ...joining,
          person: asker.id,
          to: [organizer.id],
          role: 'organizer',
        });
      if (kind === 'child')
        await home.fromGroups.askJoin({ ...joining, person: child.id, to: [guardian.id], role: 'guardian' });
      if (kind === 'agreement')
        await home.fromDecisions.askAgreement({ ...request, owner: organizer.id }, { caller: bot });
      home.peers.away('federation');
      const printed = printId('apr', id);
      const answerer = by === 'ai' ? helper : as(kind === 'child' ? guardian : organizer);
      await home.by(answerer).replyApproval({ id: printed, decision: APPROVED });
      return { asker, organizer, guardian, child, bot, helper, group, id: printed };
    }
    /**
     * Brings federation back and reads the ask as each viewer. Returns what is announced once the answer is
     * signed.
     */
    async function signed(id: string, ...viewers: PersonFacts[]) {
      home.peers.back('federation');
      for (const viewer of viewers) await get(id, viewer).catch(() => {});
      await eventually(async () => (await settledEvents(id)).length === 1);
      return await settledEvents(id);
    }
    type Unsigned = Awaited<ReturnType<typeof unsigned>>;
    const demote = ({ group, organizer }: Unsigned) =>
      home.world.groupsById.get(group.id)!.organizers.delete(organizer.id);
    const suspendedUntil = () => timestampFromMs(home.clock.now() + 10 * day);

    test.each<[string, string, 'plan' | 'join' | 'child' | 'agreement', (made: Unsigned) => void, 'ai'?]>([
      ['the organizer lost the role', 'no_say', 'join', demote],
      ['the organizer of a plan lost the role', 'no_say', 'plan', demote],
      [
        'the person who said yes is deleted',
        'no_say',
        'plan',
        ({ organizer }) => home.world.deletePerson(organizer),
      ],
      [
        'the person who said yes is suspended',
        'no_say',
        'plan',
        ({ organizer }) => home.world.changePerson(organizer, { suspendedUntil: suspendedUntil() }),
      ],
      [
        'the guardian lost the role',
        'no_say',
        'child',
        ({ child }) => home.world.changePerson(child, { guardians: [] }),
      ],
      [
        'the AI that said yes is switched off',
        'no_say',
        'plan',
        ({ helper }) => home.world.changeAi(helper, { revoked: true }),
        'ai',
      ],
      [
        'the AI that said yes is suspended',
        'no_say',
        'plan',
        ({ helper }) => home.world.changeAi(helper, { permissions: [] }),
        'ai',
      ],
      [
        'the AI that said yes has another owner',
        'no_say',
        'plan',
        ({ helper, asker }) => home.world.changeAi(helper, { owner: asker.id }),
        'ai',
      ],
      [
        'the AI that signs has another owner',
        'no_say',
        'agreement',
        ({ bot, asker }) => home.world.changeAi(bot, { owner: asker.id }),
      ],
      [
        'the AI that signs is switched off',
        'asker_gone',
        'agreement',
        ({ bot }) => home.world.changeAi(bot, { revoked: true }),
      ],
      ['the proposer is deleted', 'asker_gone', 'plan', ({ asker }) => home.world.deletePerson(asker)],
      ['the joiner is deleted', 'asker_gone', 'join', ({ asker }) => home.world.deletePerson(asker)],
    ])('%s: %s', async (_, why, kind, change, ...[by]) => {
      const made = await unsigned(kind, by);
      change(made);
      expect(await signed(made.id, made.asker, made.organizer, made.guardian)).toMatchObject([
        { status: 'approved', void: why },
      ]);
      const kept = home.peers.requestsOf(RecordsService.method.keepRecord).at(-1);
      expect(JSON.parse(kept!.json)).toMatchObject({ status: 'approved', void: why });
    });

    test.each<['plan' | 'join' | 'child' | 'agreement', 'ai'?]>([
      ['plan'],
      ['plan', 'ai'],
      ['join'],
      ['child'],
      ['agreement'],
    ])('a %s counts when none of this changed', async (kind, ...[by]) => {
      const made = await unsigned(kind, by);
      expect(await signed(made.id, made.asker, made.organizer, made.guardian)).toMatchObject([
        { status: 'approved', void: '' },
      ]);
    });

    test('but not where the joiner is already a member through it', async () => {
      const made = await unsigned('join');
      home.world.groupsById.get(made.group.id)!.members.add(made.asker.id);
      demote(made);
      expect(await signed(made.id, made.asker, made.organizer, made.guardian)).toMatchObject([{ void: '' }]);
    });

    test('and an answer without consequences records what was true when it was given', async () => {
      const [asker, other] = friends();
      const approval = await home.ask(asker, { to: at(other) });
      home.peers.away('federation');
      await home.by(other).replyApproval({ id: approval.id, decision: APPROVED });
      home.world.changePerson(other, { suspendedUntil: suspendedUntil() });
      expect(await signed(approval.id, asker)).toMatchObject([{ status: 'approved', void: '' }]);
      const kept = home.peers.requestsOf(RecordsService.method.keepRecord).at(-1);
      expect(JSON.parse(kept!.json)).not.toHaveProperty('void');
    });
  });

  test('reading the ask is enough to get it signed', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(asker, { to: at(other) });
    home.peers.away('federation');
    await home.by(other).replyApproval({ id: approval.id, decision: APPROVED });
    home.peers.back('federation');
    const looks = await Promise.all(Array.from({ length: 5 }, () => get(approval.id, asker)));
    expect(new Set(looks.map(({ signedAnswer }) => JSON.stringify(signedAnswer))).size).toBe(1);
    expect(looks[0]?.signedAnswer).toBeDefined();
    expect(await settledEvents(approval.id)).toHaveLength(1);
  });
});

describe('long polling', () => {
  const waitTopics = async (id: string, person: PersonFacts, wait: number) => {
    let metadata: ResponseMetadata | undefined;
    await home.client.getApproval(
      { id, wait },
      { caller: as(person), onMetadata: (given) => (metadata = given) },
    );
    return metadata?.waitTopics ?? [];
  };

  test('waits on the approval until it settles, and is woken by its event', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(asker, { to: at(other) });
    const topic = `approval:${uuidOf(approval.id)}`;
    expect(await waitTopics(approval.id, asker, 25)).toEqual([topic]);
    expect(await waitTopics(approval.id, asker, 0)).toEqual([]);
    await home.by(other).replyApproval({ id: approval.id, decision: APPROVED });
    expect(await waitTopics(approval.id, asker, 25)).toEqual([]);
    const events = await home.events('approvals', 'approvalSettled');
    const { topics, by } = events.find(({ data }) => data.value.approval === approval.id)!;
    expect(topics).toEqual(expect.arrayContaining([topic, `approvals:${asker.id}`, `approvals:${other.id}`]));
    expect(by).toMatchObject({ id: other.id, app: home.app });
  });
});

describe('reminding', () => {
  test('works once a day and three times, and skips people who answered', async () => {
    const asker = home.newPerson();
    const people = [home.newPerson(), home.newPerson()];
    home.newGroup(asker, ...people);
    const to = at(...people);
    const approval = await home.ask(asker, { to, needs: 2 });
    const remind = () => home.by(asker).remindApproval({ id: approval.id });
    expect(await remind()).toMatchObject({ reminded: 2, remindersLeft: 2 });
    await refused(remind(), 'rate_limited');
    await home.by(people[0]!).replyApproval({ id: approval.id, decision: APPROVED });
    home.clock.advance(day);
    expect(await remind()).toMatchObject({ reminded: 1, remindersLeft: 1 });
    home.clock.advance(day);
    expect(await remind()).toMatchObject({ reminded: 1, remindersLeft: 0 });
    home.clock.advance(day);
    await refused(remind(), 'rate_limited');
    const requested = await home.announced('approvalRequested', { approval: approval.id });
    expect(requested).toHaveLength(1);
    const notices = await home.announced('personNotified', { item: uuidOf(approval.id) });
    expect(notices.map(({ person }) => person).sort()).toEqual(
      [people[0]!, people[1]!, people[0]!, people[1]!, people[1]!, people[1]!].map(({ id }) => id).sort(),
    );
    await refused(home.by(people[0]!).remindApproval({ id: approval.id }), 'forbidden');
  });

  test('uses up no reminder when nobody can be notified, and says so', async () => {
    const [asker, other] = [home.newPerson(), home.newPerson({ app: '', email: '' })];
    home.newGroup(asker, other);
    const approval = await home.ask(asker, { to: at(other) });
    for (let turn = 0; turn < 2; turn += 1)
      expect(await home.by(asker).remindApproval({ id: approval.id })).toMatchObject({
        reminded: 1,
        told: 0,
        remindersLeft: 3,
      });
  });

  test('happens once when two reminders are sent at once', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(asker, { to: at(other) });
    const both = await Promise.allSettled(
      [1, 2].map(() => home.by(asker).remindApproval({ id: approval.id })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('skips people whose ask waits quietly, and refuses a settled ask', async () => {
    const other = home.newPerson();
    const ai = home.newAi();
    const approval = await home.ask(ai, { to: at(other) });
    expect(await home.by(ai).remindApproval({ id: approval.id })).toMatchObject({
      reminded: 0,
    });
    await home.by(ai).cancelApproval({ id: approval.id });
    await refused(home.by(ai).remindApproval({ id: approval.id }), 'already_settled');
  });
});

describe('by email', () => {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const keyOf = (text: string) => /\?k=([0-9A-Za-z]{22})\n/.exec(text)?.[1] as string;
  const hashOf = (key: string) => createHash('sha256').update(key).digest();

  test('the link opens a page with an answer button', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(home.newAi(asker), {
      title: 'Coming to dinner?',
      to: ['Kim@Example.com', `@${other.handle}`],
      choices: ['yes', 'no'],
    });
    expect(approval.people[0]).toMatchObject({ to: 'kim@example.com', person: 'kim@example.com' });
    const { subject, text } = (await home.mailsTo('kim@example.com'))[0]!;
    expect(subject).toContain('Coming to dinner?');
    expect(text).toContain(`http://localhost:8080/a/${approval.id}?k=`);
    const keyHash = hashOf(keyOf(text));

    const page = await home.client.findByMailKey({ approval: approval.id, keyHash });
    expect(page).toMatchObject({
      approval: { title: 'Coming to dinner?', choices: ['yes', 'no'] },
      email: 'kim@example.com',
    });
    expect((await get(approval.id, asker)).status).toBe(ApprovalStatus.WAITING);
    const answer = (fields: object) =>
      home.client.answerByMail({ approval: approval.id, keyHash, decision: APPROVED, ...fields });
    await expect(answer({})).rejects.toThrow('pick one of');
    const answered = await answer({ answer: 'yes', askDigest: approval.digest });
    expect(answered.approval).toMatchObject({ status: ApprovalStatus.APPROVED });
    const [given] = (answered.approval!.signedAnswer as { answers: object[] }).answers;
    expect(given).toMatchObject({
      to: 'kim@example.com',
      by: 'person',
      via: 'web',
      proof: 'email',
      answer: 'yes',
    });
    await refused(answer({ answer: 'yes' }), 'already_settled');
  });

  test('no other key opens the page', async () => {
    const approval = await home.ask(home.newAi(home.newPerson()), { to: ['lee@example.com'] });
    for (const keyHash of [hashOf('x'), Buffer.alloc(0), Buffer.alloc(32), Buffer.alloc(64)]) {
      expect((await home.client.findByMailKey({ approval: approval.id, keyHash })).approval).toBeUndefined();
      const answer = home.client.answerByMail({ approval: approval.id, keyHash, decision: APPROVED });
      await refused(answer, 'not_found');
    }
  });
});

describe('recipients and askers who are gone', () => {
  test('a deleted account counts as a no, and can settle the ask as the last answer', async () => {
    const asker = home.newPerson();
    const [one, two] = [home.newPerson(), home.newPerson()];
    home.newGroup(asker, one, two);
    const approval = await home.ask(asker, { to: at(one, two) });
    await home.publish({ case: 'accountDeleted', value: { deleted: [one.id] } });
    expect((await get(approval.id, asker)).status).toBe(ApprovalStatus.WAITING);
    for (let times = 0; times < 2; times += 1) {
      await home.publish({ case: 'accountDeleted', value: { deleted: [two.id] } });
    }
    const settled = await get(approval.id, asker);
    expect(settled).toMatchObject({ status: ApprovalStatus.DECLINED, why: 'recipient_gone' });
    expect(settled.signedAnswer).toMatchObject({ answers: [] });
    expect(await settledEvents(approval.id)).toHaveLength(1);
  });

  test('an ask by a deleted person is cancelled', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(home.newAi(asker), { to: at(other) });
    await home.publish({ case: 'accountDeleted', value: { deleted: [asker.id] } });
    expect((await get(approval.id, other)).status).toBe(ApprovalStatus.CANCELLED);
  });

  test('an ask by an AI that is switched off is cancelled if it has no owner, and otherwise stays with its owner', async () => {
    const [owner, other] = friends();
    const [alone, owned] = [home.newAi(), home.newAi(owner)];
    const asked = [await home.ask(alone, { to: at(other) }), await home.ask(owned, { to: at(other) })];
    for (const ai of [alone, owned])
      await home.publish({ case: 'aiRevoked', value: { ai: ai.id, owner: ai.person } });
    const statuses = await Promise.all(asked.map(async ({ id }) => (await get(id, other)).status));
    expect(statuses).toEqual([ApprovalStatus.CANCELLED, ApprovalStatus.WAITING]);
    expect((await home.by(owner).cancelApproval({ id: asked[1]!.id })).status).toBe(ApprovalStatus.CANCELLED);
  });

  test('an AI that is switched off counts as a no', async () => {
    const owner = home.newPerson();
    const [ai, asker] = [home.newAi(owner), home.newAi(owner)];
    const approval = await home.ask(asker, { to: [ai.address] });
    await home.publish({ case: 'aiRevoked', value: { ai: ai.id } });
    const settled = await home.by(asker).getApproval({ id: approval.id });
    expect(settled).toMatchObject({ status: ApprovalStatus.DECLINED, why: 'recipient_gone' });
  });

  test('a block declines pending asks, and looks like a rule', async () => {
    const [asker, other] = friends();
    const ai = home.newAi(asker);
    const approvals = [await home.ask(ai, { to: at(other) }), await home.ask(asker, { to: at(other) })];
    const [kept] = [await home.ask(other, { to: at(asker) })];
    await home.publish({
      case: 'blocked',
      value: { person: other.id, target: `@${asker.handle}`, targetId: asker.id },
    });
    for (const { id } of approvals) {
      expect(await get(id, asker)).toMatchObject({ status: ApprovalStatus.DECLINED, why: 'by_rule' });
    }
    expect((await get(kept!.id, asker)).status).toBe(ApprovalStatus.WAITING);
  });
});

describe('lists', () => {
  test('show asks waiting for the caller or their person, and asks they sent, page by page', async () => {
    const [asker, other] = friends();
    const ai = home.newAi(asker);
    const others = home.newAi(other);
    const asked: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      home.clock.advance(count < 3 ? 1 : 0);
      asked.push((await home.ask(count % 2 ? ai : as(asker), { to: at(other) })).id);
    }
    home.clock.advance(1);
    asked.push((await home.ask(ai, { to: [others.address] })).id);
    const all = async (who: Who, request: object = {}) => {
      const pages = await everyPage((place) =>
        home.by(who).listApprovals({ limit: 2, ...place, ...request }),
      );
      expect(Math.max(...pages.map(({ approvals }) => approvals.length))).toBeLessThanOrEqual(2);
      return pages.flatMap(({ approvals }) => approvals.map(({ id }) => id));
    };
    const newest = [...asked].reverse();
    for (const who of [asker, ai]) expect(new Set(await all(who))).toEqual(new Set(asked));
    expect(await all(asker)).toHaveLength(6);
    expect(new Set(await all(other))).toEqual(new Set(asked.slice(0, 5)));
    expect(new Set(await all(others))).toEqual(new Set(asked));
    const mine = await home.by(others).listApprovals({});
    expect(mine.approvals.map(({ toYou }) => toYou)).toEqual([true, false, false, false, false, false]);

    await home.by(other).replyApproval({ id: newest[3]!, decision: APPROVED });
    expect(await all(other)).not.toContain(newest[3]);
    expect(await all(asker)).toContain(newest[3]);
    expect(await all(other, { status: ApprovalStatus.APPROVED })).toEqual([newest[3]]);
    expect(await all(asker, { status: ApprovalStatus.APPROVED })).toEqual([newest[3]]);
    expect(await all(asker, { status: ApprovalStatus.WAITING })).toHaveLength(5);
    expect(await all(home.newPerson())).toEqual([]);
    const throughApp = await all(asApp(home.app));
    expect(asked.map((id) => throughApp.includes(id))).toEqual([true, false, true, false, true, false]);
    await expect(home.by(asker).listApprovals({ cursor: 'x' })).rejects.toThrow('next_cursor');
  });

  test('count what is waiting', async () => {
    const person = home.newPerson();
    const [stranger, ai] = [home.newAi(), home.newAi(person)];
    const to = at(person);
    const first = await home.ask(ai, { to });
    home.clock.advance(1_000);
    await home.ask(ai, { to });
    await home.ask(stranger, { to });
    const counts = await home.client.countWaiting({ owner: ai.id, person: person.id });
    expect(counts).toMatchObject({ approvals: 2, requests: 1, oldestApproval: first.at });
    expect(await home.client.countWaiting({ owner: home.uuid(), person: '' })).toMatchObject({
      approvals: 0,
      requests: 0,
    });
  });
});

describe('front doors and labels', () => {
  async function withDoor() {
    const person = home.newPerson();
    const door = home.newAi(person);
    await home
      .by(as(person, ''))
      .setRequestRules({ rules: { sales: { action: 2 }, offer: { action: 3 } }, frontDoor: door.address });
    return { person, door };
  }

  test('the AI at the front door sees the ask first, may decline it, and passes it on', async () => {
    const { person, door } = await withDoor();
    const asker = home.newAi(home.newPerson());
    const request = { to: at(person), requestKind: 4 };
    const approval = await home.ask(asker, request);
    expect(approval.people[0]?.handling).toBe(3);
    const ids = async (caller: ReturnType<typeof as>) =>
      (await home.by(caller).listApprovals({})).approvals.map(({ id }) => id);
    expect(await ids(as(person))).toEqual([]);
    expect(await ids(door)).toEqual([approval.id]);
    await refused(home.by(door).replyApproval({ id: approval.id, decision: APPROVED }), 'needs_person');
    for (let times = 0; times < 2; times += 1) {
      await home.by(door).passRequest({ id: approval.id, to: 'person', note: 'Looks real' });
    }
    expect(await ids(as(person))).toEqual([approval.id]);
    const notices = await home.announced('personNotified', { item: uuidOf(approval.id) });
    expect(notices).toHaveLength(1);
    await refused(home.by(home.newAi(person)).passRequest({ id: approval.id, to: 'person' }), 'forbidden');

    const second = await home.ask(asker, request);
    const no = await home.by(door).replyApproval({ id: second.id, decision: DECLINED });
    expect(no).toMatchObject({ status: ApprovalStatus.DECLINED, people: [{ by: 'ai' }] });
    const third = await home.ask(asker, request);
    const permitted = withScopes(door, Scope.APPROVE);
    expect((await home.by(permitted).replyApproval({ id: third.id, decision: APPROVED })).status).toBe(
      ApprovalStatus.APPROVED,
    );
    const fourth = await home.ask(asker, request);
    await home.publish({ case: 'aiRevoked', value: { ai: door.id } });
    expect(await ids(as(person))).toContain(fourth.id);
  });

  test('a label applies to the sender, and declines the pending ask where a rule says so', async () => {
    const { person } = await withDoor();
    const asker = home.newAi(home.newPerson());
    const approval = await home.ask(asker, { to: at(person) });
    const relabel = (id: string, requestKind: number) =>
      home.by(person).relabelRequest({ id, kind: requestKind });
    expect(await relabel(approval.id, 1)).toMatchObject({ status: 'waiting', kind: 1 });
    expect(await relabel(approval.id, 5)).toMatchObject({ status: 'declined', kind: 5 });
    expect(await home.by(asker).getApproval({ id: approval.id })).toMatchObject({
      status: ApprovalStatus.DECLINED,
      why: 'by_rule',
    });
    const next = await home.ask(asker, { to: at(person), requestKind: 1 });
    expect(next.status).toBe(ApprovalStatus.DECLINED);
    await refused(home.by(asker).relabelRequest({ id: approval.id, kind: 1 }), 'forbidden');
  });
});
