import type { MessageInitShape } from '@bufbuild/protobuf';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { type ReachSchema, RuleAction, RulesPreset } from '@hearth/proto/approvals/v1/request_rules';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { as, at, CHILD, per, startApprovals } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const { ASK, FRONT_DOOR, DECLINE, TURN_AWAY } = RuleAction;
const { PERSONAL, SALES, OFFER, OTHER } = RequestKind;
const day = 86_400_000;

type Fields = MessageInitShape<typeof ReachSchema>;

const from = (sender: Caller): Fields => ({
  sender: sender.id,
  senderKind: sender.kind === 2 ? 'ai' : 'person',
  senderPerson: sender.kind === 2 ? sender.person : sender.id,
  senderGroup: sender.group,
  checked: sender.kind !== 2 || sender.person !== '',
});
const reach = async (sender: Caller, to: PersonFacts, more: Fields = {}) => {
  const asked = { ...from(sender), recipient: to.id, kind: OTHER, count: true, ...more };
  const { reached } = await home.fromMessages.checkReach({ reaches: [asked] });
  return reached[0]!;
};
const how = async (...asked: Parameters<typeof reach>) => (await reach(...asked)).how;
const set = (person: PersonFacts, request: object) => home.by(person).setRequestRules(request);
const turnedAway = async (person: PersonFacts) => (await home.by(person).getRequestRules({})).turnedAway;

describe('reach', () => {
  test('people of a shared group, oneself and one’s own AIs: inbox', async () => {
    const [ann, bob] = [home.newPerson(), home.newPerson()];
    const { id: group } = home.newGroup(ann, bob);
    expect((await reach(as(ann), bob)).groups).toEqual([group]);
    await set(bob, { preset: RulesPreset.JUST_ME });
    const annsAi = home.newAi(ann);
    expect(await how(home.newAi(bob), bob)).toBe('inbox');
    expect(await how(as(ann), bob, { kind: SALES })).toBe('inbox');
    expect(await how(annsAi, bob, { kind: SALES })).toBe('inbox');
    expect(await how(as(ann), bob, { recipientAi: home.newAi(bob).id, kind: SALES })).toBe('inbox');
    expect(await how(as(home.newPerson()), bob, { kind: SALES })).toBe('turned_away');
  });

  test('the AI of a group reaches its members', async () => {
    const [ann, bob] = [home.newPerson(), home.newPerson()];
    await set(bob, { preset: RulesPreset.JUST_ME });
    const groupAi = home.newAi(undefined, { group: home.newGroup(bob).id });
    expect(await how(groupAi, bob, { checked: true })).toBe('inbox');
    expect(await how(groupAi, ann, { checked: true })).toBe('requests');
  });

  test('a person whom the recipient wrote to: inbox', async () => {
    const bob = home.newPerson();
    await set(bob, { preset: RulesPreset.JUST_ME });
    expect(await how(home.newAi(), bob, { wroteBefore: true })).toBe('inbox');
  });

  test('a stranger: by the row for the kind', async () => {
    const bob = home.newPerson();
    const stranger = as(home.newPerson());
    expect(await how(stranger, bob, { kind: PERSONAL })).toBe('requests');
    expect(await how(stranger, bob, { kind: SALES })).toBe('declined');
    await set(bob, { rules: { sales: { action: TURN_AWAY }, offer: { action: DECLINE } } });
    expect(await how(stranger, bob, { kind: SALES })).toBe('turned_away');
    expect(await how(stranger, bob, { kind: OFFER })).toBe('declined');
    // A request without a kind counts as `other`.
    expect((await reach(stranger, bob, { kind: RequestKind.UNSPECIFIED })).kind).toBe(OTHER);
  });

  test('a message from an AI without an owner waits quietly, and checked_only turns it away', async () => {
    const bob = home.newPerson();
    expect(await reach(home.newAi(), bob)).toMatchObject({ how: 'requests', quiet: true });
    expect(await reach(home.newAi(home.newPerson()), bob)).toMatchObject({ how: 'requests', quiet: false });
    await set(bob, { rules: { other: { action: ASK, checkedOnly: true } } });
    expect(await how(home.newAi(), bob)).toBe('turned_away');
    expect(await how(home.newAi(home.newPerson()), bob)).toBe('requests');
    expect(await how(as(home.newPerson()), bob)).toBe('requests');
  });

  test('an unknown recipient looks like one who turns the sender away', async () => {
    const gone = { ...home.newPerson(), id: home.uuid() } as PersonFacts;
    expect(await how(as(home.newPerson()), gone)).toBe('turned_away');
  });

  test('several recipients are answered in their order', async () => {
    const [ann, bob] = [home.newPerson(), home.newPerson()];
    await set(bob, { rules: { other: { action: TURN_AWAY } } });
    const sender = from(as(home.newPerson()));
    const asked = [bob, ann, bob].map(({ id }) => ({ ...sender, recipient: id, kind: OTHER, count: true }));
    const { reached } = await home.fromMessages.checkReach({ reaches: asked });
    expect(reached.map((recipient) => recipient.how)).toEqual(['turned_away', 'requests', 'turned_away']);
    const many = Array.from({ length: 101 }, () => asked[0]!);
    await expect(home.fromMessages.checkReach({ reaches: many })).rejects.toThrow('at most 100');
  });

  test('an email address obeys rules and blocks, and reaches a child only for family', async () => {
    const [bob, strict, blocking] = [1, 2, 3].map((n) => home.newPerson({ email: `reach${n}@mail.example` }));
    const guardian = home.newPerson();
    const guardians = [guardian.id];
    const child = home.newPerson({ email: 'reach4@mail.example', ageBand: CHILD, guardians });
    const ai = home.newAi(home.newPerson());
    await set(strict!, { rules: { other: { action: DECLINE }, sales: { action: TURN_AWAY } } });
    await home.by(blocking!).block({ target: ai.address });
    const mailed = async (sender: Caller, recipientEmail: string, kind = OTHER) => {
      const asked = { ...from(sender), recipientEmail, kind, count: true };
      return (await home.fromMessages.checkReach({ reaches: [asked] })).reached[0]!.how;
    };
    expect(await mailed(ai, 'reach0@mail.example')).toBe('mail');
    expect(await mailed(ai, bob!.email)).toBe('mail');
    for (const email of [strict!, blocking!, child].map((person) => person.email))
      expect(await mailed(ai, email)).toBe('turned_away');
    expect(await mailed(ai, strict!.email, SALES)).toBe('turned_away');
    expect(await turnedAway(strict!)).toEqual({});
    for (const sender of [as(guardian), home.newAi(guardian), as(child)])
      expect(await mailed(sender, child.email)).toBe('mail');
  });

  test('only services that deliver may ask', async () => {
    await expect(home.client.checkReach({ reaches: [] })).rejects.toThrow('may not call');
  });
});

describe('the front door', () => {
  test('is the AI chosen by the person; without a suitable AI the message is a request', async () => {
    const bob = home.newPerson();
    const stranger = as(home.newPerson());
    const ai = home.newAi(bob);
    await set(bob, { rules: { other: { action: FRONT_DOOR, weeklyCap: 20 } } });
    expect(await reach(stranger, bob)).toMatchObject({ how: 'requests', frontDoor: '' });
    await set(bob, { frontDoor: ai.address });
    expect(await reach(stranger, bob)).toMatchObject({ how: 'front_door', frontDoor: ai.id });
    // It loses its permission, or changes its owner.
    home.world.changeAi(ai, { permissions: [Scope.READ] });
    expect(await how(stranger, bob)).toBe('requests');
    home.world.changeAi(ai, { owner: home.newPerson().id });
    expect(await how(stranger, bob)).toBe('requests');
  });
});

describe('the weekly cap', () => {
  test('lets exactly its number through out of a hundred at once', async () => {
    const bob = home.newPerson();
    const senders = Array.from({ length: 100 }, () => as(home.newPerson()));
    const answers = await Promise.all(senders.map((sender) => how(sender, bob)));
    expect(answers.filter((answer) => answer === 'requests')).toHaveLength(10);
    expect(answers.filter((answer) => answer === 'declined')).toHaveLength(90);
    expect(await how(senders[0]!, bob, { kind: PERSONAL })).toBe('requests');
  });

  test('holds within one call too', async () => {
    const bob = home.newPerson();
    await set(bob, { rules: { other: { action: ASK, weeklyCap: 3 } } });
    const asked = { ...from(as(home.newPerson())), recipient: bob.id, kind: OTHER, count: true };
    const { reached } = await home.fromMessages.checkReach({
      reaches: Array.from({ length: 5 }, () => asked),
    });
    expect(reached.map((recipient) => recipient.how)).toEqual([
      'requests',
      'requests',
      'requests',
      'declined',
      'declined',
    ]);
  });

  test('starts again on Monday, UTC', async () => {
    const bob = home.newPerson();
    await set(bob, { rules: { other: { action: ASK, weeklyCap: 1 } } });
    const stranger = as(home.newPerson());
    expect(await how(stranger, bob)).toBe('requests');
    expect(await how(stranger, bob)).toBe('declined');
    // Until here it was Sunday noon.
    home.clock.advance(day / 2 - 1);
    expect(await how(stranger, bob)).toBe('declined');
    home.clock.advance(1);
    expect(await how(stranger, bob)).toBe('requests');
  });

  test('is checked without being used up', async () => {
    const bob = home.newPerson();
    await set(bob, { rules: { other: { action: ASK, weeklyCap: 1 } } });
    const stranger = as(home.newPerson());
    for (let count = 0; count < 3; count += 1)
      expect(await how(stranger, bob, { count: false })).toBe('requests');
    expect(await how(stranger, bob)).toBe('requests');
    expect(await how(stranger, bob, { count: false })).toBe('declined');
    // Senders outside the cap are not counted.
    expect(await how(stranger, bob, { wroteBefore: true })).toBe('inbox');
  });

  test('does not limit senders when it is unset', async () => {
    const bob = home.newPerson();
    await set(bob, { preset: RulesPreset.JOB_SEEKER });
    const asked = { ...from(as(home.newPerson())), recipient: bob.id, kind: 3, count: true };
    const { reached } = await home.fromMessages.checkReach({
      reaches: Array.from({ length: 50 }, () => asked),
    });
    expect(new Set(reached.map((recipient) => recipient.how))).toEqual(new Set(['requests']));
  });

  test('applies at once when it is lowered', async () => {
    const bob = home.newPerson();
    const stranger = as(home.newPerson());
    for (let count = 0; count < 4; count += 1) await reach(stranger, bob);
    await set(bob, { rules: { other: { action: ASK, weeklyCap: 2 } } });
    expect(await how(stranger, bob)).toBe('declined');
    await set(bob, { rules: { other: { action: ASK, weeklyCap: 5 } } });
    expect(await how(stranger, bob)).toBe('requests');
  });
});

describe('turned-away senders', () => {
  test('are counted for the person by kind and week, without blocked ones', async () => {
    const bob = home.newPerson();
    await set(bob, { rules: { sales: { action: TURN_AWAY }, other: { action: ASK, checkedOnly: true } } });
    const stranger = home.newPerson();
    await how(as(stranger), bob, { kind: SALES });
    await how(as(stranger), bob, { kind: SALES });
    await how(home.newAi(), bob);
    await how(as(stranger), bob, { kind: SALES, count: false });
    expect(await turnedAway(bob)).toEqual({ sales: 2, other: 1 });
    await home.by(bob).block({ target: `@${stranger.handle}` });
    await how(as(stranger), bob);
    expect(await turnedAway(bob)).toEqual({ sales: 2, other: 1 });
    home.clock.advance(7 * day);
    expect(await turnedAway(bob)).toEqual({});
  });
});

describe('a block', () => {
  test('covers a person with their AIs, against everything that the other side owns', async () => {
    const [ann, bob] = [home.newPerson(), home.newPerson()];
    home.newGroup(ann, bob);
    const annsAi = home.newAi(ann);
    await home.by(bob).block({ target: `@${ann.handle}` });
    for (const sender of [as(ann), annsAi]) {
      expect(await how(sender, bob)).toBe('turned_away');
      expect(await how(sender, bob, { recipientAi: home.newAi(bob).id, wroteBefore: true })).toBe(
        'turned_away',
      );
    }
    expect(await how(as(bob), ann)).toBe('inbox');
    await home.by(bob).unblock({ target: `@${ann.handle}` });
    expect(await how(as(ann), bob)).toBe('inbox');
  });

  test('of an AI covers that AI alone', async () => {
    const [ann, bob] = [home.newPerson(), home.newPerson()];
    const [one, other] = [home.newAi(ann), home.newAi(ann)];
    await home.by(home.newAi(bob)).block({ target: one.address });
    expect(await how(one, bob)).toBe('turned_away');
    expect(await how(other, bob)).toBe('requests');
    expect(await how(as(ann), bob)).toBe('requests');
  });

  test('covers an address or a home elsewhere', async () => {
    const bob = home.newPerson();
    const away = (address: string): Fields => ({
      sender: home.world.parties.get(address)?.id ?? home.uuid(),
      senderKind: 'ai',
      senderPerson: '',
      checked: true,
      home: address.slice(address.lastIndexOf('@') + 1),
      senderAddress: address,
    });
    const asks = (address: string) => how(as(home.newPerson()), bob, away(address));
    expect(await asks('eve@far.example')).toBe('requests');
    await home.by(bob).block({ target: '@Eve@FAR.example' });
    expect(await asks('eve@far.example')).toBe('turned_away');
    expect(await asks('eve.ai-robin@far.example')).toBe('turned_away');
    expect(await asks('bea@far.example')).toBe('requests');
    await home.by(bob).block({ target: '@far.example' });
    expect(await asks('bea@far.example')).toBe('turned_away');
    expect(await asks('bea@farther.example')).toBe('requests');
    // A block of a home includes its subdomains.
    expect(await asks('bea@mail.far.example')).toBe('turned_away');
    // A sender that this home never met, as when asking for a card.
    const unknown = (home: string) => ({ ...away(`@${home}`), sender: '', senderAddress: '' });
    expect(await how(as(home.newPerson()), bob, unknown('farther.example'))).toBe('requests');
    expect(await how(as(home.newPerson()), bob, unknown('far.example'))).toBe('turned_away');
  });

  test('of a remote person follows them to a new address, and frees the earlier one', async () => {
    const bob = home.newPerson();
    const address = 'max@far.example';
    const asks = (sender: string, senderAddress: string) =>
      how(as(home.newPerson()), bob, {
        ...{ sender, senderKind: 'person', senderPerson: '', checked: true },
        ...{ home: 'far.example', senderAddress },
      });
    await home.by(bob).block({ target: address });
    const { id } = home.world.parties.get(address)! as { id: string };
    expect(await asks(id, address)).toBe('turned_away');
    expect(await asks(id, 'moved@far.example')).toBe('turned_away');
    expect(await asks(home.uuid(), address)).toBe('requests');
    await home.by(bob).unblock({ target: address });
    expect(await asks(id, address)).toBe('requests');
  });

  test('of an AI without an owner is its own', async () => {
    const robin = home.newAi();
    const eve = home.newAi();
    const check = async () => {
      const asked = { ...from(eve), recipientAi: robin.id, kind: OTHER, count: true };
      return (await home.fromMessages.checkReach({ reaches: [asked] })).reached[0]!.how;
    };
    expect(await check()).toBe('inbox');
    await home.by(robin).block({ target: eve.address });
    expect(await check()).toBe('turned_away');
  });
});

describe('a person’s label for a sender', () => {
  test('overrides the kind that the sender gives', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    const asked = await home.ask(eve, { to: at(bob), requestKind: PERSONAL });
    const relabelled = await home.by(bob).relabelRequest({ id: asked.id, kind: RequestKind.INTRODUCTION });
    expect(relabelled.status).toBe('waiting');
    expect(await reach(eve, bob, { kind: PERSONAL })).toMatchObject({ kind: RequestKind.INTRODUCTION });
    await home.by(bob).relabelRequest({ id: asked.id, kind: SALES });
    expect(await reach(eve, bob, { kind: PERSONAL })).toMatchObject({ how: 'declined', kind: SALES });
    expect(await how(as(home.newPerson()), bob, { kind: PERSONAL })).toBe('requests');
  });
});

describe('a person under 18', () => {
  test('is out of reach of strangers, even those they wrote to, and in reach of family and groups', async () => {
    const { guardian, child } = home.newFamily();
    const [fellow, stranger] = [home.newPerson(), home.newPerson()];
    home.newGroup(fellow, child);
    for (const sender of [as(stranger), home.newAi(stranger), home.newAi()]) {
      expect(await how(sender, child, { wroteBefore: true })).toBe('turned_away');
    }
    expect(await how(as(fellow), child)).toBe('inbox');
    expect(await how(as(guardian), child)).toBe('inbox');
    expect(await how(home.newAi(guardian), child)).toBe('inbox');
    expect(await how(as(child), guardian, { family: true })).toBe('inbox');
  });

  test('is asked through the guardian where the guardian allows it, within the cap', async () => {
    const { guardian, child } = home.newFamily();
    const stranger = as(home.newPerson());
    await set(guardian, { person: per(child), rules: { other: { action: ASK, weeklyCap: 1 } } });
    expect(await reach(stranger, child)).toMatchObject({ how: 'requests', guardian: guardian.id });
    expect(await how(stranger, child)).toBe('declined');
    expect(await how(stranger, child, { kind: PERSONAL })).toBe('turned_away');
    const [other] = [home.newPerson()];
    await set(guardian, { person: per(child), rules: { other: { action: ASK } } });
    await home.by(guardian).block({ target: `@${other!.handle}` });
    expect(await how(as(other!), child)).toBe('turned_away');
    expect(await how(stranger, child)).toBe('requests');
  });
});

test('every refusal takes about as long, whatever its reason', async () => {
  const [ruled, blocking] = [home.newPerson(), home.newPerson()];
  const { child } = home.newFamily();
  const stranger = home.newPerson();
  await set(ruled, { rules: { other: { action: TURN_AWAY } } });
  await home.by(blocking).block({ target: `@${stranger.handle}` });
  const asked = await Promise.all([ruled, blocking, child].map((person) => reach(as(stranger), person)));
  expect(new Set(asked.map((one) => JSON.stringify({ ...one, $typeName: '' })))).toEqual(
    new Set([JSON.stringify({ ...asked[0], $typeName: '' })]),
  );
  // Every refusal runs the same statements, so its time does not reveal the reason.
  const rows = await home.database.db.query<{ person: string; what: string; count: number }>({
    text: `select person, what, count from approvals.rule_counts where person = any($1::uuid[])`,
    values: [[ruled.id, blocking.id, child.id]],
  });
  expect(rows.map(({ person, what }) => [person, what]).sort()).toEqual(
    [
      [ruled.id, 'turned_away'],
      [blocking.id, 'blocked'],
      [child.id, 'turned_away'],
    ].sort(),
  );
});
