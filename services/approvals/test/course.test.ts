import { AnswerDecision, ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import type { ResponseMetadata } from '@hearth/rpc';
import { asApp, eventually } from '@hearth/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { as, startApprovals, type TestApprovals, uuidOf, withScopes } from './start-approvals.ts';

let home: TestApprovals;
beforeAll(async () => {
  home = await startApprovals();
});
afterAll(() => home.stop());
beforeEach(() => {
  home.peers.back('federation');
  home.peers.back('delivery');
});

const { APPROVED, DECLINED } = AnswerDecision;
const day = 86_400_000;
const code = (words: string) =>
  expect.objectContaining({ details: expect.objectContaining({ code: words }) });
const kind = (words: string) => expect.objectContaining({ kind: words });

/** Two people who share a group. */
function friends(): [PersonFacts, PersonFacts] {
  const [one, other] = [home.newPerson(), home.newPerson()];
  home.newGroup(one, other);
  return [one, other];
}
const get = (id: string, person: PersonFacts) => home.client.getApproval({ id }, { caller: as(person) });
const settledEvents = async (id: string) =>
  (await home.events('approvalSettled')).filter(({ value }) => value.approval === id);

describe('taking back', () => {
  test('by who asked, or their person; again it answers the same', async () => {
    const [asker, other] = friends();
    const ai = home.newAi(asker);
    const approval = await home.ask(ai, { to: [`@${other.handle}`] });
    for (const caller of [as(other), home.newAi(asker)]) {
      await expect(home.client.cancelApproval({ id: approval.id }, { caller })).rejects.toThrow(
        kind('forbidden'),
      );
    }
    const cancelled = await home.client.cancelApproval({ id: approval.id }, { caller: as(asker) });
    expect(cancelled.status).toBe(ApprovalStatus.CANCELLED);
    expect(cancelled.signedAnswer).toMatchObject({ status: 'cancelled', answers: [] });
    expect(await home.client.cancelApproval({ id: approval.id }, { caller: ai })).toEqual(
      await home.client.getApproval({ id: approval.id }, { caller: ai }),
    );
    expect(await settledEvents(approval.id)).toHaveLength(1);
    const late = home.client.replyApproval({ id: approval.id, decision: APPROVED }, { caller: as(other) });
    await expect(late).rejects.toThrow(code('already_settled'));
  });

  test('not after an answer', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(as(asker), { to: [`@${other.handle}`] });
    await home.client.replyApproval({ id: approval.id, decision: DECLINED }, { caller: as(other) });
    const late = home.client.cancelApproval({ id: approval.id }, { caller: as(asker) });
    await expect(late).rejects.toThrow(code('already_settled'));
  });
});

describe('running out of time', () => {
  test('it is expired for everybody at that moment, and told once', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(as(asker), { to: [`@${other.handle}`] });
    home.clock.advance(7 * day - 1);
    expect((await get(approval.id, other)).status).toBe(ApprovalStatus.WAITING);
    home.clock.advance(1);
    const late = home.client.replyApproval({ id: approval.id, decision: APPROVED }, { caller: as(other) });
    await expect(late).rejects.toThrow(code('already_settled'));
    const expired = await get(approval.id, asker);
    expect(expired).toMatchObject({ status: ApprovalStatus.EXPIRED, signedAnswer: { status: 'expired' } });
    expect(await settledEvents(approval.id)).toHaveLength(1);
    const list = await home.client.listApprovals({}, { caller: as(other) });
    expect(list.approvals.map(({ id }) => id)).not.toContain(approval.id);
  });

  test('without anybody looking, by the job', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(as(asker), { to: [`@${other.handle}`] });
    home.clock.advance(8 * day);
    await eventually(async () => (await settledEvents(approval.id)).length === 1);
    expect((await settledEvents(approval.id))[0]?.value.status).toBe('expired');
  });
});

describe('while federation is away', () => {
  test('an answer counts and nothing is told; once it is back it is signed and told once', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(as(asker), { to: [`@${other.handle}`] });
    home.peers.away('federation');
    const settled = await home.client.replyApproval(
      { id: approval.id, decision: APPROVED },
      { caller: as(other) },
    );
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

  test('looking at it is enough to have it signed', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(as(asker), { to: [`@${other.handle}`] });
    home.peers.away('federation');
    await home.client.replyApproval({ id: approval.id, decision: APPROVED }, { caller: as(other) });
    home.peers.back('federation');
    const looks = await Promise.all(Array.from({ length: 5 }, () => get(approval.id, asker)));
    expect(new Set(looks.map(({ signedAnswer }) => JSON.stringify(signedAnswer))).size).toBe(1);
    expect(looks[0]?.signedAnswer).toBeDefined();
    expect(await settledEvents(approval.id)).toHaveLength(1);
  });
});

describe('waiting for it', () => {
  const waitTopics = async (id: string, person: PersonFacts, wait: number) => {
    let metadata: ResponseMetadata | undefined;
    await home.client.getApproval(
      { id, wait },
      { caller: as(person), onMetadata: (given) => (metadata = given) },
    );
    return metadata?.waitTopics ?? [];
  };

  test('is held on the approval until it settles, and woken by the event that tells it', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(as(asker), { to: [`@${other.handle}`] });
    const topic = `approval:${uuidOf(approval.id)}`;
    expect(await waitTopics(approval.id, asker, 25)).toEqual([topic]);
    expect(await waitTopics(approval.id, asker, 0)).toEqual([]);
    await home.client.replyApproval({ id: approval.id, decision: APPROVED }, { caller: as(other) });
    expect(await waitTopics(approval.id, asker, 25)).toEqual([]);
    const [announced] = await settledEvents(approval.id);
    expect(announced?.event.topics).toEqual(
      expect.arrayContaining([topic, `approvals:${asker.id}`, `approvals:${other.id}`]),
    );
    expect(announced?.event.by).toMatchObject({ id: other.id, app: home.app });
  });
});

describe('reminding', () => {
  test('once a day and three times, and those who answered are left alone', async () => {
    const asker = home.newPerson();
    const people = [home.newPerson(), home.newPerson()];
    home.newGroup(asker, ...people);
    const to = people.map(({ handle }) => `@${handle}`);
    const approval = await home.ask(as(asker), { to, needs: 2 });
    const remind = () => home.client.remindApproval({ id: approval.id }, { caller: as(asker) });
    expect(await remind()).toMatchObject({ reminded: 2, remindersLeft: 2 });
    await expect(remind()).rejects.toThrow(kind('rate_limited'));
    await home.client.replyApproval({ id: approval.id, decision: APPROVED }, { caller: as(people[0]!) });
    home.clock.advance(day);
    expect(await remind()).toMatchObject({ reminded: 1, remindersLeft: 1 });
    home.clock.advance(day);
    expect(await remind()).toMatchObject({ reminded: 1, remindersLeft: 0 });
    home.clock.advance(day);
    await expect(remind()).rejects.toThrow(kind('rate_limited'));
    const requested = (await home.events('approvalRequested')).filter(
      ({ value }) => value.approval === approval.id,
    );
    expect(requested).toHaveLength(1);
    const notices = (await home.events('personNotified')).filter(
      ({ value }) => value.item === uuidOf(approval.id),
    );
    expect(notices.map(({ value }) => value.person).sort()).toEqual(
      [people[0]!, people[1]!, people[0]!, people[1]!, people[1]!, people[1]!].map(({ id }) => id).sort(),
    );
    await expect(home.client.remindApproval({ id: approval.id }, { caller: as(people[0]!) })).rejects.toThrow(
      kind('forbidden'),
    );
  });

  test('of two at once one reminds', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(as(asker), { to: [`@${other.handle}`] });
    const both = await Promise.allSettled(
      [1, 2].map(() => home.client.remindApproval({ id: approval.id }, { caller: as(asker) })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('whoever is waited for quietly is not reminded, nor what settled', async () => {
    const other = home.newPerson();
    const ai = home.newAi();
    const approval = await home.ask(ai, { to: [`@${other.handle}`] });
    expect(await home.client.remindApproval({ id: approval.id }, { caller: ai })).toMatchObject({
      reminded: 0,
    });
    await home.client.cancelApproval({ id: approval.id }, { caller: ai });
    await expect(home.client.remindApproval({ id: approval.id }, { caller: ai })).rejects.toThrow(
      code('already_settled'),
    );
  });
});

describe('by e-mail', () => {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const keyOf = (text: string) => /\?k=([0-9A-Za-z]{22})\n/.exec(text)?.[1] as string;
  const hashOf = (key: string) => createHash('sha256').update(key).digest();

  test('a link leads to a page, whose button answers', async () => {
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
    await expect(answer({ answer: 'yes' })).rejects.toThrow(code('already_settled'));
  });

  test('no other key opens it', async () => {
    const approval = await home.ask(home.newAi(home.newPerson()), { to: ['lee@example.com'] });
    for (const keyHash of [hashOf('x'), Buffer.alloc(0), Buffer.alloc(32), Buffer.alloc(64)]) {
      expect((await home.client.findByMailKey({ approval: approval.id, keyHash })).approval).toBeUndefined();
      const answer = home.client.answerByMail({ approval: approval.id, keyHash, decision: APPROVED });
      await expect(answer).rejects.toThrow(kind('not_found'));
    }
  });
});

describe('who will not answer any more', () => {
  test('an account that is deleted counts as a no, and settles it as the last', async () => {
    const asker = home.newPerson();
    const [one, two] = [home.newPerson(), home.newPerson()];
    home.newGroup(asker, one, two);
    const approval = await home.ask(as(asker), { to: [`@${one.handle}`, `@${two.handle}`] });
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

  test('what a deleted person asked is taken back', async () => {
    const [asker, other] = friends();
    const approval = await home.ask(home.newAi(asker), { to: [`@${other.handle}`] });
    await home.publish({ case: 'accountDeleted', value: { deleted: [asker.id] } });
    expect((await get(approval.id, other)).status).toBe(ApprovalStatus.CANCELLED);
  });

  test('so does an AI that is switched off', async () => {
    const owner = home.newPerson();
    const [ai, asker] = [home.newAi(owner), home.newAi(owner)];
    const approval = await home.ask(asker, { to: [ai.address] });
    await home.publish({ case: 'aiRevoked', value: { ai: ai.id } });
    const settled = await home.client.getApproval({ id: approval.id }, { caller: asker });
    expect(settled).toMatchObject({ status: ApprovalStatus.DECLINED, why: 'recipient_gone' });
  });

  test('a block declines what waits, and looks like a rule', async () => {
    const [asker, other] = friends();
    const ai = home.newAi(asker);
    const approvals = [
      await home.ask(ai, { to: [`@${other.handle}`] }),
      await home.ask(as(asker), { to: [`@${other.handle}`] }),
    ];
    const [kept] = [await home.ask(as(other), { to: [`@${asker.handle}`] })];
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
  test('hold what waits for the caller or their person, and what they asked; page by page', async () => {
    const [asker, other] = friends();
    const ai = home.newAi(asker);
    const others = home.newAi(other);
    const asked: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      home.clock.advance(count < 3 ? 1 : 0);
      asked.push((await home.ask(count % 2 ? ai : as(asker), { to: [`@${other.handle}`] })).id);
    }
    home.clock.advance(1);
    asked.push((await home.ask(ai, { to: [others.address] })).id);
    const all = async (caller: ReturnType<typeof as>, request: object = {}) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await home.client.listApprovals(
          { limit: 2, ...(cursor && { cursor }), ...request },
          { caller },
        );
        expect(page.approvals.length).toBeLessThanOrEqual(2);
        found.push(...page.approvals.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return found;
    };
    const newest = [...asked].reverse();
    for (const caller of [as(asker), ai]) expect(new Set(await all(caller))).toEqual(new Set(asked));
    expect(await all(as(asker))).toHaveLength(6);
    expect(new Set(await all(as(other)))).toEqual(new Set(asked.slice(0, 5)));
    expect(new Set(await all(others))).toEqual(new Set(asked));
    const mine = await home.client.listApprovals({}, { caller: others });
    expect(mine.approvals.map(({ toYou }) => toYou)).toEqual([true, false, false, false, false, false]);

    await home.client.replyApproval({ id: newest[3]!, decision: APPROVED }, { caller: as(other) });
    expect(await all(as(other))).not.toContain(newest[3]);
    expect(await all(as(asker))).toContain(newest[3]);
    expect(await all(as(other), { status: ApprovalStatus.APPROVED })).toEqual([newest[3]]);
    expect(await all(as(asker), { status: ApprovalStatus.APPROVED })).toEqual([newest[3]]);
    expect(await all(as(asker), { status: ApprovalStatus.WAITING })).toHaveLength(5);
    expect(await all(as(home.newPerson()))).toEqual([]);
    const throughApp = await all(asApp(home.app));
    expect(asked.map((id) => throughApp.includes(id))).toEqual([true, false, true, false, true, false]);
    await expect(home.client.listApprovals({ cursor: 'x' }, { caller: as(asker) })).rejects.toThrow(
      'next_cursor',
    );
  });

  test('and their numbers', async () => {
    const person = home.newPerson();
    const [stranger, ai] = [home.newAi(), home.newAi(person)];
    const to = [`@${person.handle}`];
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
    await home.rules.setRequestRules(
      { rules: { sales: { action: 2 }, offer: { action: 3 } }, frontDoor: door.address },
      { caller: as(person, '') },
    );
    return { person, door };
  }

  test('the AI at the door sees it first, may say no, and passes it on', async () => {
    const { person, door } = await withDoor();
    const asker = home.newAi(home.newPerson());
    const request = { to: [`@${person.handle}`], requestKind: 4 };
    const approval = await home.ask(asker, request);
    expect(approval.people[0]?.handling).toBe(3);
    const ids = async (caller: ReturnType<typeof as>) =>
      (await home.client.listApprovals({}, { caller })).approvals.map(({ id }) => id);
    expect(await ids(as(person))).toEqual([]);
    expect(await ids(door)).toEqual([approval.id]);
    const yes = home.client.replyApproval({ id: approval.id, decision: APPROVED }, { caller: door });
    await expect(yes).rejects.toThrow(code('needs_person'));
    for (let times = 0; times < 2; times += 1) {
      await home.client.passRequest({ id: approval.id, to: 'person', note: 'Looks real' }, { caller: door });
    }
    expect(await ids(as(person))).toEqual([approval.id]);
    const notices = (await home.events('personNotified')).filter(
      ({ value }) => value.item === uuidOf(approval.id),
    );
    expect(notices).toHaveLength(1);
    await expect(
      home.client.passRequest({ id: approval.id, to: 'person' }, { caller: home.newAi(person) }),
    ).rejects.toThrow(kind('forbidden'));

    const second = await home.ask(asker, request);
    const no = await home.client.replyApproval({ id: second.id, decision: DECLINED }, { caller: door });
    expect(no).toMatchObject({ status: ApprovalStatus.DECLINED, people: [{ by: 'ai' }] });
    const third = await home.ask(asker, request);
    const permitted = withScopes(door, Scope.APPROVE);
    expect(
      (await home.client.replyApproval({ id: third.id, decision: APPROVED }, { caller: permitted })).status,
    ).toBe(ApprovalStatus.APPROVED);
    const fourth = await home.ask(asker, request);
    await home.publish({ case: 'aiRevoked', value: { ai: door.id } });
    expect(await ids(as(person))).toContain(fourth.id);
  });

  test('a label holds for the sender, and declines what waits where the rule says so', async () => {
    const { person } = await withDoor();
    const asker = home.newAi(home.newPerson());
    const approval = await home.ask(asker, { to: [`@${person.handle}`] });
    const relabel = (id: string, requestKind: number) =>
      home.client.relabelRequest({ id, kind: requestKind }, { caller: as(person) });
    expect(await relabel(approval.id, 1)).toMatchObject({ status: 'waiting', kind: 1 });
    expect(await relabel(approval.id, 5)).toMatchObject({ status: 'declined', kind: 5 });
    expect(await home.client.getApproval({ id: approval.id }, { caller: asker })).toMatchObject({
      status: ApprovalStatus.DECLINED,
      why: 'by_rule',
    });
    const next = await home.ask(asker, { to: [`@${person.handle}`], requestKind: 1 });
    expect(next.status).toBe(ApprovalStatus.DECLINED);
    await expect(home.client.relabelRequest({ id: approval.id, kind: 1 }, { caller: asker })).rejects.toThrow(
      kind('forbidden'),
    );
  });
});
