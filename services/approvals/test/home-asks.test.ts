import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { AnswerDecision, ApprovalStatus, Handling, Needs } from '@hearth/proto/approvals/v1/approvals';
import { RuleAction } from '@hearth/proto/approvals/v1/request_rules';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemDecision, HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { Scope } from '@hearth/proto/options';
import { type Carried, follows, receive, startAtTwo } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { at, refused, startApprovals, type Who, withScopes } from './start-approvals.ts';

const { APPROVED, DECLINED } = AnswerDecision;

const { here: one, there: other, carry, stop } = await startAtTwo('approvals', startApprovals);
afterAll(stop);
// Delivers everything that an earlier test left in flight.
beforeEach(async () => {
  await carry(one, other);
  await carry(other, one);
  await carry(one, other);
});

const there = (address: string) => `@${address.slice(1)}@${other.name}`;
const away = (...people: { handle: string }[]) => people.map(({ handle }) => there(`@${handle}`));
const ref = (id: string) => `r:${one.name}:${id}`;
const seen = async (who: Who, id: string) => await other.by(who).getApproval({ id: ref(id) });

/** Answers at the other home while items are carried both ways. */
async function answer(who: Who, id: string, fields: object = {}) {
  return await carry.during(
    other,
    one,
    other.by(who).replyApproval({ id: ref(id), decision: APPROVED, ...fields }),
  );
}

describe('an ask to a person of another home', () => {
  test('is delivered there, answered there, and settled at its own home', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const { id, digest, ...asked } = await one.ask(ai, { to: away(bob), choices: ['9:30', '11:00'] });
    expect(asked.people).toMatchObject([{ handling: Handling.HELD, decision: AnswerDecision.WAITING }]);
    await expect(one.ask(ai, { to: ['@bob@localhost:1'] })).rejects.toThrow('@handle@home');
    expect(await carry(one, other)).toMatchObject([{ decision: HomeItemDecision.OK }]);
    expect((await one.by(ai).getApproval({ id })).people).toMatchObject([{ handling: Handling.DELIVERED }]);
    expect(await seen(bob, id)).toMatchObject({
      ...{ id: ref(id), digest, home: one.name, from: `${ai.address.slice(1)}@${one.name}`, toYou: true },
      ...{ nameVerified: false, status: ApprovalStatus.WAITING, people: [{ to: `@${bob.handle}` }] },
    });
    // An AI of his is woken, and his app notifies him.
    const [requested] = await other.announced('approvalRequested', { approval: ref(id) });
    expect(requested?.places).toMatchObject([{ to: bob.id, owner: bob.id, quiet: false }]);
    expect(await other.announced('personNotified', { person: bob.id })).toMatchObject([{ body: 'May I?' }]);
    const answered = await answer(bob, id, { answer: '11:00' });
    expect(answered).toMatchObject({ status: ApprovalStatus.APPROVED, home: one.name });
    const settled = await one.by(ai).getApproval({ id });
    expect(settled.signedAnswer).toMatchObject({
      answers: [
        { home: other.name, via: 'home', proof: 'tap', by: 'person', answer: '11:00', item: { type: 'act' } },
      ],
    });
    expect(answered.signedAnswer).toEqual(settled.signedAnswer);
  });

  test('shows its group, but not its callback', async () => {
    const asker = one.newPerson();
    const bob = other.newPerson();
    const group = one.newGroup(asker);
    const asked = {
      to: away(bob),
      group: printId('grp', group.id),
      callback: 'https://program.example/hook',
    };
    const { id } = await one.ask(asker, asked);
    const [{ item }] = (await carry(one, other)) as [Carried];
    expect((await seen(bob, id)).group).toMatchObject({
      id: `r:${one.name}:${printId('grp', group.id)}`,
      name: group.name,
      address: `&${group.handle}@${one.name}`,
    });
    const { detail } = (await other.by(bob).listRemoteAsks({})).asks.find(({ ref: of }) => of === ref(id))!;
    expect(detail).toMatchObject({ group: { name: group.name } });
    await answer(bob, id);
    expect((await seen(bob, id)).signedAnswer).toMatchObject({ ask: { group: { name: group.name } } });
    expect(await one.announced('approvalSettled', { approval: id })).toMatchObject([{ callback: true }]);
    expect(await other.announced('approvalSettled', { approval: ref(id) })).toMatchObject([
      { callback: false },
    ]);
    // An ask cannot name a group of a third home.
    const body = JSON.parse(item.bodyJson);
    const forged = {
      ...body.object,
      id: `${item.id}0`,
      group: { ...body.object.group, address: '&club@else.example' },
    };
    const strange = { ...item, id: `${item.id}0`, bodyJson: JSON.stringify({ ...body, object: forged }) };
    expect(await receive(other, strange)).toMatchObject({ code: 'schema' });
  });

  test('ends with its record once the keys of its home are available', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const { id } = await one.ask(ai, { to: away(bob) });
    await carry(one, other);
    other.world.awayKeys.add(one.name);
    expect(await answer(bob, id)).toMatchObject({ status: ApprovalStatus.WAITING });
    expect(await carry(one, other)).toMatchObject([{ decision: HomeItemDecision.LATER }]);
    expect(await seen(bob, id)).toMatchObject({ status: ApprovalStatus.WAITING });
    other.world.awayKeys.delete(one.name);
    expect(await carry(one, other)).toMatchObject([{ decision: HomeItemDecision.OK }]);
    const { signedAnswer } = await one.by(ai).getApproval({ id });
    expect(await seen(bob, id)).toMatchObject({ status: ApprovalStatus.APPROVED, signedAnswer });
  });

  test('is pending until its home confirms the answer, which is sent once', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const { id } = await one.ask(ai, { to: away(bob) });
    await carry(one, other);
    const reply = () => other.by(bob).replyApproval({ id: ref(id), decision: APPROVED });
    const [first, again] = await Promise.all([reply(), reply()]);
    for (const pending of [first, again])
      expect(pending).toMatchObject({ status: ApprovalStatus.WAITING, pending: true });
    expect(first.toYou).toBeUndefined();
    expect((await other.by(bob).listRemoteAsks({})).asks).toEqual([]);
    const no = other.by(bob).replyApproval({ id: ref(id), decision: DECLINED });
    await refused(no, 'already_settled');
    expect(await carry(other, one)).toMatchObject([{ status: 200 }]);
    await carry(one, other);
    expect(await seen(bob, id)).toMatchObject({ status: ApprovalStatus.APPROVED });
  });

  test('that settled meanwhile is refused with its home’s error, and shows how it ended', async () => {
    const ai = one.newAi(one.newPerson());
    const [bob, cleo] = [other.newPerson(), other.newPerson()];
    const { id } = await one.ask(ai, { to: away(bob, cleo) });
    await carry(one, other);
    await one.by(ai).cancelApproval({ id });
    await refused(answer(bob, id), 'already_settled');
    expect(await seen(cleo, id)).toMatchObject({ status: ApprovalStatus.CANCELLED, signedAnswer: {} });
    expect((await other.by(cleo).listApprovals({})).approvals).toEqual([]);
  });

  test('waits for everyone when all are needed, and shows each answer to its other recipients', async () => {
    const ai = one.newAi(one.newPerson());
    const [ana, bob, cleo] = [one.newPerson(), other.newPerson(), other.newPerson()];
    const { id } = await one.ask(ai, { to: [...at(ana), ...away(bob, cleo)], needs: Needs.ALL });
    await carry(one, other);
    await answer(bob, id);
    expect(await seen(cleo, id)).toMatchObject({
      status: ApprovalStatus.WAITING,
      people: [
        { to: `${ana.handle}@${one.name}`, decision: AnswerDecision.WAITING },
        { to: `@${bob.handle}`, decision: APPROVED },
        { to: `@${cleo.handle}`, decision: AnswerDecision.WAITING },
      ],
    });
    await one.by(ana).replyApproval({ id, decision: APPROVED });
    await answer(cleo, id);
    expect(await one.by(ai).getApproval({ id })).toMatchObject({ status: ApprovalStatus.APPROVED });
  });

  test('is answered by the recipient’s AI where AIs may answer, as an AI, and refuses it elsewhere', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const { id } = await one.ask(ai, { to: away(bob) });
    await carry(one, other);
    await refused(
      other.by(other.newAi(bob)).replyApproval({ id: ref(id), decision: APPROVED }),
      'needs_person',
    );
    const mayApprove = withScopes(other.newAi(bob), Scope.APPROVE);
    await answer(mayApprove, id);
    const { signedAnswer } = await one.by(ai).getApproval({ id });
    expect(signedAnswer).toMatchObject({
      answers: [
        {
          ...{ to: `${bob.handle}@${other.name}`, by: 'ai', proof: 'key' },
          item: { body: { by: 'ai', for: { address: `${bob.handle}@${other.name}` } } },
        },
      ],
    });
  });

  test('records an answer once when it arrives twice in parallel', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    for (const needs of [Needs.ANY, Needs.ALL]) {
      const { id, digest } = await one.ask(ai, {
        to: away(bob, ...(needs === Needs.ALL ? [other.newPerson()] : [])),
        needs,
      });
      await carry(one, other);
      const act = `r:${other.name}:act_${needs}`;
      const item = create(HomeItemSchema, {
        ...{
          type: HomeItemType.ACT,
          id: act,
          rev: 1n,
          home: other.name,
          from: `${bob.handle}@${other.name}`,
        },
        senderJson: JSON.stringify({ id: 'per_bob', kind: 'person', name: 'Bob', status: 'person' }),
        bodyJson: JSON.stringify({
          ...{ on: ref(id), operation: 'reply_approval', by: 'person', proof: 'tap', via: 'web' },
          request: { decision: 'approved', ask_digest: digest },
        }),
        itemJson: JSON.stringify({ id: act }),
      });
      const verdicts = await Promise.all(Array.from({ length: 8 }, () => receive(one, item)));
      expect(verdicts.map(({ result }) => result?.status)).toEqual(Array(8).fill(200));
      if (needs === Needs.ALL) await one.by(ai).cancelApproval({ id });
    }
  });

  test('reaches an AI there, which answers for itself', async () => {
    const ai = one.newAi();
    const helper = other.newAi();
    const { id } = await one.ask(ai, { to: [there(helper.address)] });
    await carry(one, other);
    await answer(helper, id, { decision: DECLINED });
    expect(await one.by(ai).getApproval({ id })).toMatchObject({ status: ApprovalStatus.DECLINED });
  });

  test('cannot be answered by somebody who was not asked', async () => {
    const ai = one.newAi(one.newPerson());
    const [bob, eve] = [other.newPerson(), other.newPerson()];
    const { id } = await one.ask(ai, { to: away(bob) });
    const [{ item }] = (await carry(one, other)) as [Carried];
    await refused(seen(eve, id), 'not_found');
    await refused(other.by(eve).replyApproval({ id: ref(id), decision: APPROVED }), 'not_found');
    // Nor by an act that this home sends for another.
    const { digest } = JSON.parse(item.bodyJson).object;
    const acts = (by: object) =>
      receive(
        one,
        create(HomeItemSchema, {
          ...{ type: HomeItemType.ACT, id: `r:${other.name}:act_1`, rev: 1n, home: other.name },
          from: `${eve.handle}@${other.name}`,
          senderJson: JSON.stringify({ id: 'per_eve', kind: 'person', name: 'Eve', status: 'person' }),
          bodyJson: JSON.stringify({
            ...{ on: ref(id), operation: 'reply_approval', by: 'person', proof: 'tap', via: 'web' },
            request: { decision: 'approved', ask_digest: digest },
            ...by,
          }),
          itemJson: '{"id":"r:localhost:8081:act_1"}',
        }),
      );
    expect((await acts({})).result).toMatchObject({ status: 404 });
    expect(await acts({ by: 'ai' })).toMatchObject({ decision: HomeItemDecision.REJECTED, code: 'schema' });
    expect((await acts({ operation: 'ask_approval' })).code).toBe('unknown_operation');
    expect((await acts({ operation: 'cancel_approval', request: {} })).result).toMatchObject({ status: 404 });
  });

  test('is refused when its text does not match its digest, and so is a later change of its text', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const { id } = await one.ask(ai, { to: away(bob), title: 'May I have the key?' });
    const [{ item }] = (await carry(one, other)) as [Carried];
    const changed = (fields: object, more: object = {}) => {
      const { kind, object } = JSON.parse(item.bodyJson);
      return { ...item, ...more, bodyJson: JSON.stringify({ kind, object: { ...object, ...fields } }) };
    };
    expect(await receive(other, changed({ title: 'May I have the house?' }))).toMatchObject({
      code: 'schema',
    });
    const unsaid = changed({ people: [] }, { rev: 2n });
    expect(await receive(other, unsaid)).toMatchObject({ code: 'schema' });
    expect(await seen(bob, id)).toMatchObject({ title: 'May I have the key?' });
  });

  test('is marked while its home reports an answer that nobody here gave, and hides its record', async () => {
    const ai = one.newAi(one.newPerson());
    const [bob, cleo] = [other.newPerson({ app: '' }), other.newPerson()];
    const { id } = await one.ask(ai, { to: away(bob, cleo), needs: Needs.ALL });
    const [{ item }] = (await carry(one, other)) as [Carried];
    let rev = item.rev;
    const says = async (ofBob: object, over: object = {}) => {
      rev += 2n ** 40n;
      const { kind, object } = JSON.parse(item.bodyJson);
      const people = object.people.map((person: object, at: number) =>
        at === 0 ? { ...person, ...ofBob } : person,
      );
      const bodyJson = JSON.stringify({ kind, object: { ...object, people, ...over } });
      return await receive(other, { ...item, rev, bodyJson });
    };
    const isDisputed = async () => (await seen(bob, id)).disputed === true;
    await says({ decision: 'approved', by: 'person' });
    expect(await seen(bob, id)).toMatchObject({
      people: [{ decision: AnswerDecision.WAITING }, {}],
      disputed: true,
    });
    await says({});
    expect(await isDisputed()).toBe(false);
    await answer(bob, id, { note: 'Gladly' });
    const said = { decision: 'approved', by: 'person', note: 'Gladly' };
    for (const lie of [{ decision: 'declined' }, { note: 'Never' }, { answer: 'Soup' }, { by: 'ai' }]) {
      await says({ ...said, ...lie });
      expect([lie, await isDisputed()]).toEqual([lie, true]);
      await says(said);
      expect([lie, await isDisputed()]).toEqual([lie, false]);
    }
    expect(await seen(bob, id)).toMatchObject({ people: [{ decision: APPROVED, note: 'Gladly' }, {}] });
    const told = (await other.announced('personNotified', { person: bob.id })).filter(({ title }) =>
      title.startsWith('The other home'),
    );
    expect(told).toMatchObject([{ title: 'The other home shows a different answer from yours' }]);
    // The home may end its ask as it likes, but cannot sign in his name.
    const answers = [{ to: `${bob.handle}@${other.name}`, decision: 'declined', by: 'person' }];
    const signed_answer = { type: 'approval.answer', home: one.name, ask: { id }, answers };
    await says(said, { status: 'declined', signed_answer, final: true });
    const ended = await seen(bob, id);
    expect([ended.status, ended.signedAnswer]).toEqual([ApprovalStatus.DECLINED, undefined]);
    await one.by(ai).cancelApproval({ id });
    await carry(one, other);
  });

  test('meets the rules, blocks and ages of that home, whose no arrives later, as a person’s would', async () => {
    const ai = one.newAi(one.newPerson());
    const [strict, blocking] = [other.newPerson(), other.newPerson()];
    const { child, guardian } = other.newFamily();
    const rules = { other: { action: RuleAction.DECLINE } };
    await other.by(strict).setRequestRules({ rules });
    const declined = await one.ask(ai, { to: away(strict) });
    const toChild = await one.ask(ai, { to: away(child) });
    expect(await carry(one, other)).toMatchObject([{ code: '' }, { code: 'no_such_address' }]);
    await refused(seen(strict, declined.id), 'not_found');
    expect((await other.by(guardian).listApprovals({})).approvals).toEqual([]);
    expect(await one.by(ai).getApproval({ id: toChild.id })).toMatchObject({ why: 'recipient_gone' });
    expect((await one.by(ai).getApproval({ id: declined.id })).status).toBe(ApprovalStatus.WAITING);

    const blocked = await one.ask(ai, { to: away(blocking) });
    await carry(one, other);
    await other.by(blocking).block({ target: `${ai.address.slice(1)}@${one.name}` });
    await follows(async () => expect((await other.by(blocking).listApprovals({})).approvals).toEqual([]));
    other.clock.advance(3_600_000);
    await other.runJob('approvals: send-noes');
    await carry(other, one);
    for (const { id } of [declined, blocked])
      expect(await one.by(ai).getApproval({ id })).toMatchObject({
        ...{ status: ApprovalStatus.DECLINED, why: 'by_rule' },
        signedAnswer: { answers: [] },
      });
  });

  test('to an address unknown to its home is undeliverable, and that recipient counts as gone', async () => {
    const ai = one.newAi(one.newPerson());
    const ana = one.newPerson();
    const to = [...at(ana), there('@never-made')];
    const [open, ended] = [await one.ask(ai, { to }), await one.ask(ai, { to, needs: Needs.ALL })];
    await one.by(ana).replyApproval({ id: ended.id, decision: DECLINED });
    await carry(one, other);
    const undeliverable = { handling: Handling.UNDELIVERABLE };
    expect(await one.by(ai).getApproval({ id: open.id })).toMatchObject({
      status: ApprovalStatus.WAITING,
      people: [{ handling: Handling.DELIVERED }, { ...undeliverable, decision: DECLINED }],
    });
    // An ask may end before the other home reports a recipient as unknown.
    expect(await one.by(ai).getApproval({ id: ended.id })).toMatchObject({
      people: [{ decision: DECLINED }, { ...undeliverable, decision: AnswerDecision.WAITING }],
    });
    await one.by(ana).replyApproval({ id: open.id, decision: DECLINED });
    expect(await one.by(ai).getApproval({ id: open.id })).toMatchObject({ status: ApprovalStatus.DECLINED });
  });

  test('to known and unknown recipients is undeliverable only to the unknown ones', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const { child } = other.newFamily();
    const to = [...away(bob), there('@never-made'), ...away(child)];
    const { id } = await one.ask(ai, { to, needs: Needs.ALL });
    await carry(one, other);
    const asked = await one.by(ai).getApproval({ id });
    expect(asked.people.map(({ handling }) => handling)).toEqual([
      Handling.DELIVERED,
      Handling.UNDELIVERABLE,
      Handling.UNDELIVERABLE,
    ]);
    expect(asked).toMatchObject({ status: ApprovalStatus.DECLINED, why: 'recipient_gone' });
  });

  test('counts as first contact until the person answers somebody of that home', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const first = await one.ask(ai, { to: away(bob) });
    const [{ item }] = (await carry(one, other)) as [Carried];
    const fresh = (n: number) => ({ ...item, id: `r:${one.name}:apr_${`${n}`.repeat(32)}` });
    const named = (n: number) => {
      const body = JSON.parse(item.bodyJson);
      return {
        ...fresh(n),
        bodyJson: JSON.stringify({ ...body, object: { ...body.object, id: fresh(n).id } }),
      };
    };
    expect(await receive(other, named(1), { left: 0 })).toMatchObject({ code: 'first_contact' });
    expect(await receive(other, named(2))).toMatchObject({ firstContacts: 1 });
    await answer(bob, first.id);
    expect(await receive(other, named(3), { left: 0 })).toMatchObject({ code: '', firstContacts: 0 });
    expect(await receive(other, named(4), { left: 0, limited: true })).toMatchObject({
      code: 'first_contact',
    });
  });

  test('counts as first contact for each recipient who does not know the asker', async () => {
    const ai = one.newAi(one.newPerson());
    const [knowing, ...strangers] = [other.newPerson(), other.newPerson(), other.newPerson()];
    const before = await one.ask(ai, { to: away(knowing!) });
    await carry(one, other);
    await answer(knowing!, before.id);
    const { id } = await one.ask(ai, { to: away(knowing!, ...strangers) });
    const [{ item }] = (await carry(one, other)) as [Carried];
    await follows(async () => expect((await seen(strangers[0]!, id)).id).toBe(ref(id)));
    const named = (n: number) => {
      const { kind, object } = JSON.parse(item.bodyJson);
      const fresh = `r:${one.name}:apr_${`${n}`.repeat(32)}`;
      return { ...item, id: fresh, bodyJson: JSON.stringify({ kind, object: { ...object, id: fresh } }) };
    };
    expect(await receive(other, named(5), { left: 1 })).toMatchObject({ code: 'first_contact' });
    expect(await receive(other, named(6), { left: 2 })).toMatchObject({ code: '', firstContacts: 2 });
  });

  test('is not first contact when the recipient or the asked AI wrote to the asker before', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const helper = other.newAi(other.newPerson());
    const { id } = await one.ask(ai, { to: [...away(bob), there(helper.address)] });
    const [{ item }] = (await carry(one, other)) as [Carried];
    const { id: party } = other.world.parties.get(item.from) as { id: string };
    const again = (n: number) => {
      const { kind, object } = JSON.parse(item.bodyJson);
      const fresh = `${ref(id)}${n}`;
      return { ...item, id: fresh, bodyJson: JSON.stringify({ kind, object: { ...object, id: fresh } }) };
    };
    expect(await receive(other, again(1), { left: 1 })).toMatchObject({ code: 'first_contact' });
    other.waiting.wrote.add(`${bob.id} ${party}`);
    expect(await receive(other, again(2), { left: 1 })).toMatchObject({ code: '', firstContacts: 1 });
    other.waiting.wrote.add(`${helper.id} ${party}`);
    expect(await receive(other, again(3), { left: 0 })).toMatchObject({ code: '', firstContacts: 0 });
  });

  test.each([
    ['with an invalid asker name', {}, { name: 'x'.repeat(101) }],
    ['with more reminders than allowed', { reminders: 4_294_967_295 }, {}],
  ])('%s is refused', async (_, fields, sender) => {
    const ai = one.newAi(one.newPerson());
    await one.ask(ai, { to: away(other.newPerson()) });
    const [{ item }] = (await carry(one, other)) as [Carried];
    const id = `${item.id}0`;
    const { kind, object } = JSON.parse(item.bodyJson);
    const odd = {
      ...{ ...item, id },
      senderJson: JSON.stringify({ ...JSON.parse(item.senderJson), ...sender }),
      bodyJson: JSON.stringify({ kind, object: { ...object, id, ...fields } }),
    };
    expect(await receive(other, odd)).toMatchObject({ code: 'schema' });
  });

  test('takes a local person’s answer only from their own act, never from another home’s state', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const { id } = await one.ask(ai, { to: away(bob) });
    const [{ item }] = (await carry(one, other)) as [Carried];
    const { kind, object } = JSON.parse(item.bodyJson);
    const at_ = '2026-05-04T09:00:00.000Z';
    const people = [{ ...object.people[0], decision: 'approved', answer: 'yes', by: 'person', at: at_ }];
    const forged = { ...object, people, status: 'approved', settled_at: at_, final: true };
    const bodyJson = JSON.stringify({ kind, object: forged });
    expect(await receive(other, { ...item, rev: 2n, bodyJson })).toMatchObject({ code: '' });
    expect(await seen(bob, id)).toMatchObject({
      status: ApprovalStatus.APPROVED,
      people: [{ decision: AnswerDecision.WAITING }],
    });
    // The home has not become better known to him.
    const again = { ...item, id: `${item.id}0` };
    const next = { ...again, bodyJson: JSON.stringify({ kind, object: { ...object, id: again.id } }) };
    expect(await receive(other, next, { left: 0 })).toMatchObject({ code: 'first_contact' });
  });

  test('reveals nothing about recipients it was not delivered to', async () => {
    const ai = one.newAi(one.newPerson());
    const [bob, cleo] = [other.newPerson(), other.newPerson()];
    const { id } = await one.ask(ai, { to: away(bob, cleo) });
    const [{ item }] = (await carry(one, other)) as [Carried];
    const { kind, object } = JSON.parse(item.bodyJson);
    const lie = { decision: 'approved', person: 'Liar', by: 'person', at: '2026-05-04T09:00:00.000Z' };
    const people = object.people.map((each: { to: string }) =>
      each.to.startsWith(cleo.handle) ? { ...each, ...lie } : each,
    );
    const apart = { ...item, id: `${item.id}0`, to: [`@${bob.handle}`] };
    for (const rev of [1n, 2n]) {
      const bodyJson = JSON.stringify({ kind, object: { ...object, id: apart.id, people } });
      expect(await receive(other, { ...apart, rev, bodyJson })).toMatchObject({ code: '' });
      const shown = await other.by(bob).getApproval({ id: `${ref(id)}0` });
      expect(shown.people.map(({ decision }) => decision)).toEqual([
        AnswerDecision.WAITING,
        AnswerDecision.WAITING,
      ]);
    }
  });

  test('from a deleted account is forgotten there', async () => {
    const asker = one.newPerson();
    const bob = other.newPerson();
    const { id } = await one.ask(asker, { to: away(bob) });
    await carry(one, other);
    await one.publish({ case: 'accountDeleted', value: { deleted: [asker.id] } });
    await carry(one, other);
    await refused(seen(bob, id), 'not_found');
    expect((await other.by(bob).listRequests({})).requests).toEqual([]);
  });

  test('ends at both homes when either domain now belongs to a different home', async () => {
    const asker = one.newPerson();
    const bob = other.newPerson();
    const { id } = await one.ask(asker, { to: away(bob) });
    await carry(one, other);
    const anew = (at: typeof one, home: string) =>
      at.publish({ case: 'otherHomeChanged', value: { home, change: 'began_anew' } });
    await anew(other, one.name);
    await follows(async () =>
      expect(await seen(bob, id)).toMatchObject({ status: ApprovalStatus.CANCELLED }),
    );
    expect((await other.by(bob).listRequests({})).requests).toEqual([]);
    await anew(one, other.name);
    await follows(async () =>
      expect(await one.by(asker).getApproval({ id })).toMatchObject({
        status: ApprovalStatus.DECLINED,
        why: 'recipient_gone',
      }),
    );
    // The new home learns nothing of the ask.
    expect(await carry(one, other)).toEqual([]);
  });

  test('to a home that this one does not talk with is refused, and so is one to a person under 18', async () => {
    const { child } = one.newFamily();
    await refused(one.ask(child, { to: ['@bob@localhost:8081'] }), 'minors_not_allowed');
    const asks = () => one.ask(one.newAi(), { to: ['@bob@localhost:8081'] });
    await asks();
    one.world.blockedHomes.add(other.name);
    one.signal('homes', other.name);
    await follows(() => refused(asks(), 'home_denied'));
    one.world.blockedHomes.delete(other.name);
    one.signal('homes', other.name);
    await follows(asks);
  });

  test('to another home cannot include a person under 18, so its answers and record reveal no child', async () => {
    const { child, guardian } = one.newFamily();
    const [bob, stranger] = [other.newPerson(), one.newAi()];
    const to = [...away(bob), `@${child.handle}`];
    await refused(one.ask(guardian, { to }), 'minors_not_allowed');
    // A caller who may not see the child learns nothing of them, and neither does the other home.
    const { id } = await one.ask(stranger, { to });
    const [{ item }] = (await carry(one, other)) as [Carried];
    expect(item.bodyJson).not.toContain(child.handle);
    await answer(bob, id);
    const { people, signedAnswer } = await seen(bob, id);
    expect(people.map(({ to: address }) => address)).toEqual([`@${bob.handle}`]);
    expect(signedAnswer).toMatchObject({ answers: [{ home: other.name }] });
  });

  test('can be reminded as often as a local ask', async () => {
    const ai = one.newAi(one.newPerson());
    const bob = other.newPerson();
    const { id } = await one.ask(ai, { to: away(bob) });
    await carry(one, other);
    expect(await one.by(ai).remindApproval({ id })).toMatchObject({ reminded: 1, told: 1 });
    await carry(one, other);
    const notices = await other.announced('personNotified', { person: bob.id, again: true });
    expect(notices).toMatchObject([{ body: 'May I?' }]);
  });
});
