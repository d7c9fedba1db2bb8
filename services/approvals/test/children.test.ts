import { printId } from '@hearth/ids';
import { AnswerDecision, ApprovalKind, ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { digest } from '@hearth/signing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  as,
  CHILD,
  per,
  startApprovals,
  TEEN16,
  type TestApprovals,
  uuidOf,
  withScopes,
} from './start-approvals.ts';

let home: TestApprovals;
beforeAll(async () => {
  home = await startApprovals();
});
afterAll(() => home.stop());

const { APPROVED } = AnswerDecision;
const kind = (words: string) => expect.objectContaining({ kind: words });
const code = (words: string) =>
  expect.objectContaining({ details: expect.objectContaining({ code: words }) });

/** A child with their guardian, and a member of the same group who sees neither whole. */
function family(app?: string) {
  const guardian = home.newPerson(app === undefined ? {} : { app });
  const child = home.newPerson({
    ageBand: CHILD,
    guardians: [guardian.id],
    name: 'Ada Augusta Byron',
    handle: `ada-${home.uuid().slice(-6)}`,
    ...(app !== undefined && { app }),
  });
  const member = home.newPerson({ app: home.uuid() });
  const group = home.newGroup(child, member);
  return { guardian, child, member, group: printId('grp', group.id) };
}

describe('about somebody under 18', () => {
  test('it goes to the guardian, whose own tap alone counts', async () => {
    const { guardian, child, group } = family();
    const app = home.app;
    const other = home.newPerson();
    home.world.groupsById.get([...home.world.groupsById.values()].at(-1)!.facts.id)!.members.add(other.id);
    // An app that holds the child names them whole.
    const ask = home.ask(as(other, app), { title: 'May Ada come along?', about: per(child), group });
    const approval = await ask;
    expect(approval.people).toMatchObject([{ to: `@${guardian.handle}`, person: guardian.name }]);
    expect(approval).toMatchObject({
      about: `@${child.handle}`,
      subject: per(child),
      requestedBy: per(other),
    });

    const ai = withScopes(home.newAi(guardian), Scope.APPROVE);
    const refused = home.client.replyApproval({ id: approval.id, decision: APPROVED }, { caller: ai });
    await expect(refused).rejects.toThrow(code('needs_person'));
    const settled = await home.client.replyApproval(
      { id: approval.id, decision: APPROVED },
      { caller: as(guardian) },
    );
    expect(settled.status).toBe(ApprovalStatus.APPROVED);

    const record = JSON.stringify(settled.signedAnswer);
    expect(record).toContain('"about_child":true');
    for (const secret of [child.id, child.id.replaceAll('-', ''), child.handle, child.name, 'shp_']) {
      expect(record).not.toContain(secret);
    }
    const [kept] = [...home.world.signer.records.values()].filter(({ json }) => json.includes(approval.id));
    expect(kept?.viewers).not.toContain(child.id);
    const notices = (await home.events('personNotified')).map(({ value }) => value);
    expect(notices.at(-1)).toMatchObject({ person: guardian.id, about: child.id, kind: 'approval' });
  });

  test('the guardian cannot be left out, nor somebody else named', async () => {
    const { child, group } = family();
    const other = home.newPerson();
    [...home.world.groupsById.values()].at(-1)!.members.add(other.id);
    const request = { about: per(child), group, to: [`@${home.newPerson().handle}`] };
    await expect(home.ask(as(other), request)).rejects.toThrow('no guardian of theirs');
  });

  test('of an adult, of nobody, outside of the group, or without a guardian it is refused', async () => {
    const { child, member, group } = family();
    const other = home.newPerson();
    const facts = [...home.world.groupsById.values()].at(-1)!;
    facts.members.add(other.id);
    const ask = (about: string, of = group) => home.ask(as(other), { about, group: of });
    await expect(ask(per(member))).rejects.toThrow('under 18');
    await expect(ask(`per_${'0'.repeat(32)}`)).rejects.toThrow(kind('not_found'));
    await expect(ask(per(child), '&nowhere')).rejects.toThrow(kind('not_found'));
    const elsewhere = family();
    await expect(ask(per(elsewhere.child))).rejects.toThrow(kind('not_found'));
    await expect(ask(per(child), elsewhere.group)).rejects.toThrow(kind('not_found'));
    const orphan = home.newPerson({ ageBand: TEEN16 });
    facts.members.add(orphan.id);
    await expect(ask(per(orphan))).rejects.toThrow(code('guardian_needed'));
    // A caller who may not see the child whole knows no such id.
    await expect(home.ask(as(member), { about: per(child), group })).rejects.toThrow(kind('not_found'));
    await expect(home.ask(as(member), { about: `@${child.handle}`, group })).rejects.toThrow(
      kind('not_found'),
    );
  });

  test('an AI needs the permission group for it', async () => {
    const { guardian, child, group } = family();
    [...home.world.groupsById.values()].at(-1)!.members.add(guardian.id);
    const ai = home.newAi(guardian);
    const request = { about: per(child), group };
    await expect(home.ask(ai, request)).rejects.toThrow('the permission group');
    const asked = await home.ask(withScopes(ai, Scope.GROUP), request);
    expect(asked.group).toMatchObject({ id: group });
    await expect(home.ask(as(guardian), request)).rejects.toThrow('nobody to ask');
    await expect(home.ask(home.newAi(), request)).rejects.toThrow(kind('forbidden'));
  });

  test('photos and joining are for apps that hold the child', async () => {
    const { guardian, child, member } = family();
    const other = home.newPerson();
    const photo = {
      title: 'Show this photo?',
      kind: ApprovalKind.PHOTO,
      about: per(child),
      itemRef: 'p-1',
      preview: 'A beach',
    };
    const asked = await home.ask(as(other), photo);
    expect(asked).toMatchObject({ kind: ApprovalKind.PHOTO, itemRef: 'p-1', preview: 'A beach' });
    expect(asked.people).toMatchObject([{ to: `@${guardian.handle}` }]);
    await expect(home.ask(as(member), photo)).rejects.toThrow(kind('not_found'));
    await expect(home.ask(as(other, ''), photo)).rejects.toThrow(kind('bad_request'));
    await expect(home.ask(as(other), { ...photo, about: undefined } as never)).rejects.toThrow('about');
    const ai = home.newAi(other, {}, { app: home.app });
    await expect(home.ask(ai, photo)).rejects.toThrow(kind('forbidden'));
    expect(child.app).toBe(home.app);
  });
});

describe('asked by somebody under 18', () => {
  test('their name is short and their address shielded for all but those who may see it', async () => {
    const guardian = home.newPerson();
    const teen = home.newPerson({
      ageBand: TEEN16,
      guardians: [guardian.id],
      name: 'Grace Brewster Hopper',
      handle: `grace-${home.uuid().slice(-6)}`,
    });
    const friend = home.newPerson({ app: home.uuid() });
    home.newGroup(teen, friend);
    const approval = await home.ask(as(teen), { to: [`@${friend.handle}`] });
    expect(approval).toMatchObject({ from: `@${teen.handle}`, fromName: 'Grace Brewster Hopper' });
    const seen = await home.client.getApproval({ id: approval.id }, { caller: as(friend) });
    expect(seen).toMatchObject({ from: expect.stringMatching(/^shp_[0-9a-f]{32}$/), fromName: 'Grace H.' });
    const settled = await home.client.replyApproval(
      { id: approval.id, decision: APPROVED },
      { caller: as(friend) },
    );
    expect(settled.signedAnswer).toMatchObject({ ask: { requested_by: 'under-18' } });
    for (const text of [
      JSON.stringify(settled.signedAnswer),
      JSON.stringify(seen, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    ]) {
      expect(text).not.toContain(teen.handle);
      expect(text).not.toContain('Brewster');
    }
    const [requested] = (await home.events('approvalRequested')).filter(
      ({ value }) => value.approval === approval.id,
    );
    expect(requested?.value.from).toBe('');

    // An ask names them by the id that the friend was shown.
    const back = await home.ask(as(friend), { to: [seen.from] });
    expect(back.people).toMatchObject([{ to: seen.from, person: 'Grace H.' }]);
    expect(back.digest).toBe(digest({ title: 'May I?', free_text: false, to: ['under-18'] }));
    const answered = await home.client.replyApproval(
      { id: back.id, decision: APPROVED },
      { caller: as(teen) },
    );
    expect(answered.people).toMatchObject([{ to: `@${teen.handle}`, person: 'Grace Brewster Hopper' }]);
    expect(answered.signedAnswer).toMatchObject({ answers: [{ to: 'under-18', name: 'Grace H.' }] });
  });

  test('an AI of theirs does not give them away', async () => {
    const guardian = home.newPerson();
    const teen = home.newPerson({
      ageBand: TEEN16,
      guardians: [guardian.id],
      name: 'Grace Hopper',
      handle: `gh-${home.uuid().slice(-6)}`,
    });
    const friend = home.newPerson({ app: home.uuid() });
    home.newGroup(teen, friend);
    const approval = await home.ask(home.newAi(teen), { to: [`@${friend.handle}`] });
    const seen = await home.client.getApproval({ id: approval.id }, { caller: as(friend) });
    expect(seen.from).toMatch(/^shp_/);
    expect(JSON.stringify(seen, (_, v) => (typeof v === 'bigint' ? `${v}` : v))).not.toContain(teen.handle);
    const guarded = await home.ask(home.newAi(teen), { to: [`@${guardian.handle}`] });
    const byGuardian = await home.client.getApproval({ id: guarded.id }, { caller: as(guardian) });
    expect(byGuardian.from).toContain(teen.handle);
  });
});

describe('joining a group', () => {
  async function joining(joiner: PersonFacts, role: 'organizer' | 'guardian', to: PersonFacts[]) {
    const [id, invite] = [home.uuid(), home.uuid()];
    const group = home.newGroup(...(role === 'organizer' ? to : []));
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

  test('any organizer answers, once, and groups hears of it', async () => {
    const joiner = home.newPerson();
    const organizers = [home.newPerson(), home.newPerson()];
    const { id, invite, group } = await joining(joiner, 'organizer', organizers);
    const [list, own] = await Promise.all(
      [organizers[1]!, joiner].map((person) => home.client.listApprovals({}, { caller: as(person) })),
    );
    expect(list!.approvals).toMatchObject([
      { id, kind: ApprovalKind.JOIN_REQUEST, details: 'I like books', itemRef: 'trip-1', toYou: true },
    ]);
    expect(own!.approvals.map((one) => one.id)).toEqual([id]);
    const ai = withScopes(home.newAi(organizers[0]), Scope.APPROVE);
    await expect(home.client.replyApproval({ id, decision: APPROVED }, { caller: ai })).rejects.toThrow(
      code('needs_person'),
    );
    await home.client.replyApproval({ id, decision: APPROVED }, { caller: as(organizers[0]!) });
    const announced = (await home.events('approvalSettled')).filter(({ value }) => value.approval === id);
    expect(announced.map(({ value }) => value)).toMatchObject([
      {
        status: 'approved',
        kind: 'join_request',
        invite,
        joiner: joiner.id,
        group: { id: group.id },
        answeredBy: organizers[0]!.id,
      },
    ]);
    expect(
      (await home.events('approvalRequested')).filter(({ value }) => value.approval === id),
    ).toHaveLength(1);
  });

  test('an answer that groups was given itself settles it, and what nobody needs is cancelled', async () => {
    const organizers = [home.newPerson(), home.newPerson()];
    const stranger = home.uuid();
    const words = [
      { approved: false, by: organizers[0]!.id, status: 'declined', answered: ['declined', 'waiting'] },
      { approved: true, by: organizers[1]!.id, status: 'approved', answered: ['waiting', 'approved'] },
      { approved: true, by: stranger, status: 'approved', answered: ['waiting', 'waiting'] },
    ];
    for (const { approved, by, status, answered } of words) {
      const { id } = await joining(home.newPerson(), 'organizer', organizers);
      const settled = { id: uuidOf(id), approved, by, note: 'so be it' };
      for (let times = 0; times < 2; times += 1) await home.fromGroups.settleJoin(settled);
      await home.fromGroups.settleJoin({ ...settled, approved: !approved });
      await home.fromGroups.cancelJoin({ id: uuidOf(id) });
      const seen = await home.client.getApproval({ id }, { caller: as(organizers[0]!) });
      expect(seen.people.map(({ decision }) => AnswerDecision[decision].toLowerCase())).toEqual(answered);
      const announced = (await home.events('approvalSettled')).filter(({ value }) => value.approval === id);
      expect(announced.map(({ value }) => [value.status, value.answeredBy])).toEqual([[status, by]]);
    }
    const { id } = await joining(home.newPerson(), 'organizer', organizers);
    for (let times = 0; times < 2; times += 1) await home.fromGroups.cancelJoin({ id: uuidOf(id) });
    const announced = (await home.events('approvalSettled')).filter(({ value }) => value.approval === id);
    expect(announced.map(({ value }) => value.status)).toEqual(['cancelled']);
    const ask = await home.ask(as(organizers[0]!), { to: [`@${organizers[1]!.handle}`] });
    for (const other of [uuidOf(ask.id), home.uuid(), 'x'])
      await expect(home.fromGroups.cancelJoin({ id: other })).rejects.toThrow(kind('not_found'));
  });

  test('of a child the guardian is asked, and strangers see a short name', async () => {
    const guardian = home.newPerson();
    const child = home.newPerson({ ageBand: CHILD, guardians: [guardian.id], name: 'Ada Augusta Byron' });
    const organizer = home.newPerson({ app: home.uuid() });
    const guards = await joining(child, 'guardian', [guardian]);
    const organizes = await joining(child, 'organizer', [organizer]);
    expect(await home.client.getApproval({ id: guards.id }, { caller: as(guardian) })).toMatchObject({
      title: expect.stringMatching(/^May Ada B\. join Book club/),
      about: `@${child.handle}`,
    });
    const seen = await home.client.getApproval({ id: organizes.id }, { caller: as(organizer) });
    expect(seen).toMatchObject({
      from: expect.stringMatching(/^shp_/),
      fromName: 'Ada B.',
      about: seen.from,
    });
    await expect(
      home.fromGroups.askJoin({
        id: home.uuid(),
        group: home.uuid(),
        invite: home.uuid(),
        person: child.id,
        to: [guardian.id],
      }),
    ).rejects.toThrow(kind('not_found'));
    await expect(home.fromGroups.askJoin({ id: 'x' })).rejects.toThrow(kind('bad_request'));
    await expect(home.fromIdentity.askJoin({})).rejects.toThrow(kind('forbidden'));
  });
});
