import { printId } from '@hearth/ids';
import { AnswerDecision, ApprovalKind, ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import { Proof } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { digest } from '@hearth/signing';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  as,
  at,
  per,
  refused,
  startApprovals,
  TEEN16,
  textOf,
  uuidOf,
  withScopes,
} from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const { APPROVED } = AnswerDecision;

/**
 * A child, their guardian and two group members: one is in the same app and sees both in full, the other sees
 * neither.
 */
function family() {
  const handle = `ada-${home.uuid().slice(-6)}`;
  const { guardian, child } = home.newFamily({ name: 'Ada Augusta Byron', handle });
  const [member, other] = [home.newPerson({ app: home.uuid() }), home.newPerson()];
  const group = printId('grp', home.newGroup(child, member, other, guardian).id);
  return { guardian, child, member, other, group };
}

test('an ask to a child who has no app and no sign-in goes to the guardian, who answers it in their place', async () => {
  const { guardian, child } = home.newFamily({ app: '', email: '' });
  const other = home.newPerson();
  const group = printId('grp', home.newGroup(child, other).id);
  const approval = await home.ask(other, {
    title: 'Do you come along?',
    to: [home.world.shieldedFor(as(other), child)],
    group,
  });
  const answer = { id: approval.id, decision: APPROVED };
  const settled = await home.by(guardian).replyApproval(answer);
  expect(settled.status).toBe(ApprovalStatus.APPROVED);
  const notices = await home.announced('personNotified');
  expect(notices.at(-1)).toMatchObject({ person: guardian.id, about: child.id, kind: 'approval' });
});

describe('an ask about a person under 18', () => {
  test('ends when the child’s account is deleted', async () => {
    const { guardian, child, other, group } = family();
    const sibling = home.newPerson({ ageBand: TEEN16, guardians: [guardian.id] });
    const theirs = printId('grp', home.newGroup(sibling, other).id);
    const { id } = await home.ask(other, { title: 'May Ada come along?', about: per(child), group });
    const stays = await home.ask(other, { about: per(sibling), group: theirs });
    home.world.deletePerson(child);
    for (const _ of [1, 2]) await home.publish({ case: 'accountDeleted', value: { deleted: [child.id] } });
    const ended = { status: ApprovalStatus.DECLINED, why: 'recipient_gone' };
    expect(await home.by(other).getApproval({ id })).toMatchObject(ended);
    await refused(home.by(guardian).replyApproval({ id, decision: APPROVED }), 'already_settled');
    expect((await home.by(guardian).getApproval({ id: stays.id })).status).toBe(ApprovalStatus.WAITING);
  });

  test('goes to the guardian, who must tap themselves', async () => {
    const { guardian, child, other, group } = family();
    // The app that manages the child shows the full name.
    const approval = await home.ask(other, { title: 'May Ada come along?', about: per(child), group });
    expect(approval).toMatchObject({
      people: [{ to: `@${guardian.handle}`, person: guardian.name }],
      about: `@${child.handle}`,
      subject: per(child),
      requestedBy: per(other),
    });
    const answer = { id: approval.id, decision: APPROVED };
    await refused(
      home.by(withScopes(home.newAi(guardian), Scope.APPROVE)).replyApproval(answer),
      'needs_person',
    );
    const settled = await home.by(guardian).replyApproval(answer);
    expect(settled.status).toBe(ApprovalStatus.APPROVED);

    const answeredFor = async (viewer: PersonFacts) =>
      (await home.by(viewer).listAnsweredFor({ child: child.id })).approvals;
    expect(await answeredFor(guardian)).toMatchObject([
      { id: approval.id, about: `@${child.handle}`, people: [{ decision: APPROVED }] },
    ]);
    await refused(answeredFor(other), 'not_found');
    await refused(answeredFor(child), 'not_found');

    const record = JSON.stringify(settled.signedAnswer);
    expect(record).toContain('"about_child":true');
    for (const secret of [child.id, child.id.replaceAll('-', ''), child.handle, child.name, 'shp_']) {
      expect(record).not.toContain(secret);
    }
    const [kept] = [...home.world.signer.records.values()].filter(({ json }) => json.includes(approval.id));
    expect(kept?.viewers).not.toContain(child.id);
    const notices = await home.announced('personNotified');
    expect(notices.at(-1)).toMatchObject({ person: guardian.id, about: child.id, kind: 'approval' });
  });

  test('cannot leave out the guardian or name another recipient', async () => {
    const { child, other, group } = family();
    const request = { about: per(child), group, to: at(home.newPerson()) };
    await expect(home.ask(other, request)).rejects.toThrow('no guardian of theirs');
  });

  test('is refused about an adult, about nobody, outside the group, or without a guardian', async () => {
    const { child, member, other, group } = family();
    const ask = (about: string, of = group) => home.ask(other, { about, group: of });
    await expect(ask(per(member))).rejects.toThrow('under 18');
    const orphan = home.newPerson({ ageBand: TEEN16 });
    await refused(ask(per(orphan), printId('grp', home.newGroup(other, orphan).id)), 'guardian_needed');
    const elsewhere = family();
    for (const [asker, about, of] of [
      [other, `per_${'0'.repeat(32)}`, group],
      [other, per(child), '&nowhere'],
      [other, per(elsewhere.child), group],
      [other, per(child), elsewhere.group],
      // A caller who may not see the child in full does not know this id.
      [member, per(child), group],
      [member, `@${child.handle}`, group],
    ] as const)
      await refused(home.ask(asker, { about, group: of }), 'not_found');
  });

  test('needs the permission group when an AI asks', async () => {
    const { guardian, child, group } = family();
    const ai = home.newAi(guardian);
    const request = { about: per(child), group };
    await expect(home.ask(ai, request)).rejects.toThrow('the permission group');
    const asked = await home.ask(withScopes(ai, Scope.GROUP), request);
    expect(asked.group).toMatchObject({ id: group });
    await expect(home.ask(guardian, request)).rejects.toThrow('nobody to ask');
    await refused(home.ask(home.newAi(), request), 'forbidden');
  });

  test('for photos and joining is limited to apps that hold the child', async () => {
    const { guardian, child, member, other } = family();
    const photo = {
      title: 'Show this photo?',
      kind: ApprovalKind.PHOTO,
      about: per(child),
      itemRef: 'p-1',
      preview: 'A beach',
    };
    const { title, about, ...kept } = photo;
    expect(await home.ask(other, photo)).toMatchObject({ ...kept, people: [{ to: `@${guardian.handle}` }] });
    await refused(home.ask(member, photo), 'not_found');
    await refused(home.ask(as(other, ''), photo), 'bad_request');
    await expect(home.ask(other, { ...photo, about: undefined } as never)).rejects.toThrow('about');
    await refused(home.ask(home.newAi(other, {}, { app: home.app }), photo), 'forbidden');
    const joining = await home.ask(other, { ...photo, kind: ApprovalKind.JOIN });
    expect(joining.kind).toBe(ApprovalKind.JOIN_REQUEST);
  });
});

describe('an ask by a person under 18', () => {
  test('shows a short name and a shielded address to all who may not see the full ones', async () => {
    const { child: teen } = home.newFamily({
      ageBand: TEEN16,
      name: 'Grace Brewster Hopper',
      handle: `grace-${home.uuid().slice(-6)}`,
    });
    const friend = home.newPerson({ app: home.uuid() });
    home.newGroup(teen, friend);
    const approval = await home.ask(teen, { to: at(friend) });
    expect(approval).toMatchObject({ from: `@${teen.handle}`, fromName: 'Grace Brewster Hopper' });
    const seen = await home.by(friend).getApproval({ id: approval.id });
    expect(seen).toMatchObject({ from: expect.stringMatching(/^shp_[0-9a-f]{32}$/), fromName: 'Grace H.' });
    const settled = await home.by(friend).replyApproval({ id: approval.id, decision: APPROVED });
    expect(settled.signedAnswer).toMatchObject({ ask: { requested_by: 'under-18' } });
    for (const text of [JSON.stringify(settled.signedAnswer), textOf(seen)]) {
      expect(text).not.toContain(teen.handle);
      expect(text).not.toContain('Brewster');
    }
    const [requested] = await home.announced('approvalRequested', { approval: approval.id });
    expect(requested?.from).toBe('');

    // The ask names them by the id that the friend was shown.
    const back = await home.ask(friend, { to: [seen.from] });
    expect(back.people).toMatchObject([{ to: seen.from, person: 'Grace H.' }]);
    expect(back.digest).toBe(digest({ title: 'May I?', free_text: false, to: ['under-18'] }));
    const answered = await home.by(teen).replyApproval({ id: back.id, decision: APPROVED });
    expect(answered.people).toMatchObject([{ to: `@${teen.handle}`, person: 'Grace Brewster Hopper' }]);
    expect(answered.signedAnswer).toMatchObject({ answers: [{ to: 'under-18', name: 'Grace H.' }] });
  });

  test('by an AI of theirs does not reveal them', async () => {
    const { guardian, child: teen } = home.newFamily({
      ageBand: TEEN16,
      name: 'Grace Hopper',
      handle: `gh-${home.uuid().slice(-6)}`,
    });
    const friend = home.newPerson({ app: home.uuid() });
    home.newGroup(teen, friend);
    const approval = await home.ask(home.newAi(teen), { to: at(friend) });
    const seen = await home.by(friend).getApproval({ id: approval.id });
    expect(seen.from).toMatch(/^shp_/);
    expect(textOf(seen)).not.toContain(teen.handle);
    const guarded = await home.ask(home.newAi(teen), { to: at(guardian) });
    const byGuardian = await home.by(guardian).getApproval({ id: guarded.id });
    expect(byGuardian.from).toContain(teen.handle);
  });
});

describe('joining a group', () => {
  async function joining(joiner: PersonFacts, role: 'organizer' | 'guardian', to: PersonFacts[]) {
    const [id, invite] = [home.uuid(), home.uuid()];
    const group = home.newBoard(...(role === 'organizer' ? to : []));
    const request = {
      id,
      group: group.id,
      invite,
      person: joiner.id,
      to: to.map((person) => person.id),
      role,
      note: 'I like books',
      itemRef: 'trip-1',
      expiresAt: { seconds: BigInt(Math.floor(home.clock.now() / 1_000) + 86_400), nanos: 0 },
    };
    for (let times = 0; times < 3; times += 1) await home.fromGroups.askJoin(request);
    return { id: printId('apr', id), invite, group };
  }

  test('any organizer answers, once, and the groups service is told', async () => {
    const joiner = home.newPerson();
    const organizers = [home.newPerson(), home.newPerson()];
    const { id, invite, group } = await joining(joiner, 'organizer', organizers);
    const [list, own] = await Promise.all(
      [organizers[1]!, joiner].map((person) => home.by(person).listApprovals({})),
    );
    expect(list!.approvals).toMatchObject([
      { id, kind: ApprovalKind.JOIN_REQUEST, details: 'I like books', toYou: true },
    ]);
    expect(list!.approvals[0]!.itemRef).toBeUndefined();
    expect(own!.approvals.map((approval) => approval.id)).toEqual([id]);
    const ai = withScopes(home.newAi(organizers[0]), Scope.APPROVE);
    await refused(home.by(ai).replyApproval({ id, decision: APPROVED }), 'needs_person');
    await home.by(organizers[0]!).replyApproval({ id, decision: APPROVED });
    const announced = await home.announced('approvalSettled', { approval: id });
    expect(announced).toMatchObject([
      {
        status: 'approved',
        kind: 'join_request',
        invite,
        joiner: joiner.id,
        group: { id: group.id },
        answeredBy: organizers[0]!.id,
      },
    ]);
    expect(await home.announced('approvalRequested', { approval: id })).toHaveLength(1);
  });

  test('an answer given to the groups service settles it, and an unneeded one is cancelled', async () => {
    const organizers = [home.newPerson(), home.newPerson()];
    const stranger = home.uuid();
    const words = [
      { approved: false, by: organizers[0]!.id, status: 'declined', answered: ['declined', 'waiting'] },
      { approved: true, by: organizers[1]!.id, status: 'approved', answered: ['waiting', 'approved'] },
      { approved: true, by: stranger, status: 'approved', answered: ['waiting', 'waiting'] },
    ];
    for (const { approved, by, status, answered } of words) {
      const { id } = await joining(home.newPerson(), 'organizer', organizers);
      const settled = { id: uuidOf(id), approved, by, note: 'so be it', proof: Proof.TAP };
      for (let times = 0; times < 2; times += 1) await home.fromGroups.settleJoin(settled);
      await home.fromGroups.settleJoin({ ...settled, approved: !approved });
      await home.fromGroups.cancelJoin({ id: uuidOf(id) });
      const seen = await home.by(organizers[0]!).getApproval({ id });
      expect(seen.people.map(({ decision }) => AnswerDecision[decision].toLowerCase())).toEqual(answered);
      const announced = await home.announced('approvalSettled', { approval: id });
      expect(announced.map(({ status, answeredBy }) => [status, answeredBy])).toEqual([[status, by]]);
    }
    const { id } = await joining(home.newPerson(), 'organizer', organizers);
    for (let times = 0; times < 2; times += 1) await home.fromGroups.cancelJoin({ id: uuidOf(id) });
    const announced = await home.announced('approvalSettled', { approval: id });
    expect(announced.map(({ status }) => status)).toEqual(['cancelled']);
    const ask = await home.ask(organizers[0]!, { to: [`@${organizers[1]!.handle}`] });
    for (const other of [uuidOf(ask.id), home.uuid(), 'x'])
      await refused(home.fromGroups.cancelJoin({ id: other }), 'not_found');
  });

  test('the guardian of a child is asked, and strangers see a short name', async () => {
    const { guardian, child } = home.newFamily({ name: 'Ada Augusta Byron' });
    const organizer = home.newPerson({ app: home.uuid() });
    const guards = await joining(child, 'guardian', [guardian]);
    const organizes = await joining(child, 'organizer', [organizer]);
    expect(await home.by(guardian).getApproval({ id: guards.id })).toMatchObject({
      title: expect.stringMatching(/^May Ada B\. join Book club/),
      about: `@${child.handle}`,
    });
    const seen = await home.by(organizer).getApproval({ id: organizes.id });
    expect(seen).toMatchObject({
      from: expect.stringMatching(/^shp_/),
      fromName: 'Ada B.',
      about: seen.from,
    });
    await refused(
      home.fromGroups.askJoin({
        id: home.uuid(),
        group: home.uuid(),
        invite: home.uuid(),
        person: child.id,
        to: [guardian.id],
      }),
      'not_found',
    );
    await refused(home.fromGroups.askJoin({ id: 'x' }), 'bad_request');
    await refused(home.fromIdentity.askJoin({}), 'forbidden');
  });
});
