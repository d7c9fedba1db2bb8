import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { MoveItemsRequest } from '@hearth/proto/approvals/v1/items';
import { type Item, ItemSchema } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ADULT, type as, startApprovals, uuidOf } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

/** Moves items as a source does: each to its new viewer, or closed if it ends. */
function sourceMoves({ keys, to }: MoveItemsRequest) {
  const { items } = home.waiting;
  if (to.case === 'end') return { change: { closed: keys } };
  const moved = (item: Item) => {
    const { owner } = item;
    const [first = owner] = to.case === 'family' ? to.value.answering : [];
    return create(ItemSchema, { ...item, holder: first === owner ? '' : first, box: 'requests' });
  };
  const placed = keys.flatMap(({ id }) => {
    const item = items.get(id);
    return item === undefined ? [] : [moved(item)];
  });
  for (const item of placed) items.set(item.key!.id, item);
  return { change: { placed } };
}

beforeEach(() => {
  home.waiting.moves = [];
  home.waiting.move = sourceMoves;
});

const listOf = async (...people: Parameters<typeof as>[0][]) =>
  await Promise.all(
    people.map(async (person) => (await home.by(person).listRequests({})).requests.map(({ id }) => id)),
  );

function family() {
  const { guardian: gus, child: ida } = home.newFamily();
  return { gus, gwen: home.newPerson(), ida };
}

async function change(person: PersonFacts, facts: Partial<PersonFacts>) {
  Object.assign(person, facts);
  home.signal('people', person.id);
  await home.publish({ case: 'personChanged', value: { person: { id: person.id } } });
}

describe.each(['message', 'invite'] as const)('a pending %s', (kind) => {
  const place = (owner: PersonFacts, item = {}) =>
    home.place(kind, { owner: owner.id, ...item }, { title: 'Hi' });

  test('moves to the new guardian, and to the child once of age', async () => {
    const { gus, gwen, ida } = family();
    const id = await place(ida, { holder: gus.id });
    await change(ida, { guardians: [gwen.id] });
    expect(await listOf(gus, gwen, ida)).toEqual([[], [id], []]);
    await change(ida, { guardians: [], ageBand: ADULT });
    expect(await listOf(gus, gwen, ida)).toEqual([[], [], [id]]);
    expect(home.waiting.moves.map(({ to }) => to.case)).toEqual(['family', 'family']);
  });

  test('stays when its guardian still answers, without a call to its source', async () => {
    const { gus, gwen, ida } = family();
    await place(ida, { holder: gus.id });
    await change(ida, { guardians: [gwen.id, gus.id] });
    expect(home.waiting.moves).toEqual([]);
  });

  describe('with a guardian who is suspended', () => {
    const suspendedUntil = () => timestampFromMs(home.clock.now() + 60_000);

    /** Changes suspensions, and publishes the event of one of them. */
    async function suspend(one: PersonFacts, facts: Partial<PersonFacts>, ward: PersonFacts) {
      home.world.changePerson(one, facts);
      const changed = [facts.suspendedUntil === undefined ? 'restored' : 'suspended'];
      await home.publish({
        case: 'personChanged',
        value: { person: { id: one.id }, changed, wards: [ward.id] },
      });
    }

    async function waits() {
      const all = family();
      all.ida.guardians.push(all.gwen.id);
      home.signal('people', all.ida.id);
      const eve = home.newPerson();
      return { ...all, eve, id: await place(all.ida, { holder: all.gus.id, senders: [eve.id] }) };
    }

    test('moves to the other guardian, and stays there afterwards', async () => {
      const { gus, gwen, ida, id } = await waits();
      await suspend(gus, { suspendedUntil: suspendedUntil() }, ida);
      expect(await listOf(gus, gwen)).toEqual([[], [id]]);
      await suspend(gus, { suspendedUntil: undefined }, ida);
      expect(await listOf(gus, gwen)).toEqual([[], [id]]);
      expect(home.waiting.moves).toHaveLength(1);
    });

    test('moves to the first guardian who can act again', async () => {
      const { gus, gwen, ida, id } = await waits();
      await suspend(gwen, { suspendedUntil: suspendedUntil() }, ida);
      await suspend(gus, { suspendedUntil: suspendedUntil() }, ida);
      expect(home.waiting.moves).toEqual([]);
      await suspend(gwen, { suspendedUntil: undefined }, ida);
      expect(await listOf(gus, gwen)).toEqual([[], [id]]);
    });

    test('stays with the only guardian until another one is added', async () => {
      const { gus, gwen, ida } = family();
      const id = await place(ida, { holder: gus.id });
      await suspend(gus, { suspendedUntil: suspendedUntil() }, ida);
      expect(await listOf(gus, gwen)).toEqual([[id], []]);
      await change(ida, { guardians: [gus.id, gwen.id] });
      expect(await listOf(gus, gwen)).toEqual([[], [id]]);
    });

    test('stays when the other guardian blocks the sender', async () => {
      const { eve, gus, gwen, ida, id } = await waits();
      await home.by(gwen).block({ target: `@${eve.handle}` });
      await suspend(gus, { suspendedUntil: suspendedUntil() }, ida);
      expect(await listOf(gus, gwen)).toEqual([[id], []]);
      expect(home.waiting.moves).toEqual([]);
    });
  });

  test('moves to the other guardian when one is gone, and ends with its owner', async () => {
    const { gus, gwen, ida } = family();
    const id = await place(ida, { holder: gus.id });
    Object.assign(ida, { guardians: [gwen.id] });
    await home.publish({ case: 'accountDeleted', value: { deleted: [gus.id] } });
    expect(await listOf(gus, gwen)).toEqual([[], [id]]);
    await home.publish({ case: 'accountDeleted', value: { deleted: [ida.id] } });
    expect(await listOf(gwen)).toEqual([[]]);
    expect(home.waiting.moves.at(-1)?.to).toEqual({ case: 'end', value: 'recipient_gone' });
  });

  test('moves from the front door to the person when the AI there is switched off or removed from the door', async () => {
    const ben = home.newPerson();
    const [off, silent, stays] = [home.newAi(ben), home.newAi(ben), home.newAi(ben)];
    const at = async (door: { id: string }) => await place(ben, { holder: door.id, box: 'front_door' });
    const ids = [await at(off), await at(silent), await at(stays)];
    await home.publish({ case: 'aiRevoked', value: { ai: off.id } });
    home.world.changeAi(silent, { permissions: [Scope.READ] });
    for (const { id } of [silent, stays]) await home.publish({ case: 'aiChanged', value: { ai: id } });
    expect((await listOf(ben))[0]!.sort()).toEqual(ids.slice(0, 2).sort());
    expect((await home.by(stays).listRequests({})).requests.map(({ id }) => id)).toContain(ids[2]);
  });

  test('ends when its owner or the guardian who holds it blocks the sender or the person behind the sender', async () => {
    const { gus, ida } = family();
    const [eve, robin] = [home.newPerson(), home.newAi(home.newPerson())];
    const senders = [robin.id, eve.id];
    const [own, held] = [await place(gus, { senders }), await place(ida, { holder: gus.id, senders })];
    const other = await place(gus, { senders: [robin.id] });
    await home.publish({
      case: 'blocked',
      value: { person: gus.id, target: `@${eve.handle}`, targetId: eve.id },
    });
    expect(await listOf(gus)).toEqual([[other]]);
    expect(home.waiting.moves.flatMap(({ keys }) => keys.map(({ id }) => id)).sort()).toEqual(
      [own, held].map(uuidOf).sort(),
    );
  });

  test('stays if it was sent after a block was lifted, even when the block event is repeated', async () => {
    const { gus } = family();
    const eve = home.newPerson();
    const at = timestampFromMs(home.clock.now());
    home.clock.advance(2_000);
    const since = timestampFromMs(home.clock.now());
    const id = await place(gus, { senders: [eve.id], since });
    const value = { person: gus.id, target: `@${eve.handle}`, targetId: eve.id };
    await home.publish({ case: 'blocked', value }, { at });
    expect(await listOf(gus)).toEqual([[id]]);
    await home.publish({ case: 'blocked', value });
    expect(await listOf(gus)).toEqual([[]]);
  });

  test('ends up with the current guardian in any order of events, including repeats', async () => {
    const step = fc.constantFrom<'note' | 'event' | 'changed'>('note', 'event', 'changed');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const { gus, gwen, ida } = family();
        const id = await place(ida, { holder: gus.id });
        const item = home.waiting.items.get(uuidOf(id))!;
        Object.assign(ida, { guardians: [gwen.id] });
        home.signal('people', ida.id);
        // Each arrives at least once; the source's note and event are from before the change.
        for (const one of [...steps, 'event', 'changed'] as const) {
          if (one === 'note') await home.items.noteItems({ change: { placed: [item] } });
          if (one === 'event') await home.publish({ case: 'itemsChanged', value: { placed: [item] } });
          if (one === 'changed')
            await home.publish({ case: 'personChanged', value: { person: { id: ida.id } } });
        }
        expect(await listOf(gus, gwen)).toEqual([[], [id]]);
      }),
      { numRuns: 10 },
    );
  });
});

describe('a message to an AI that changes owners', () => {
  const handsMoves = () =>
    home.waiting.moves.flatMap(({ keys, to }) => (to.case === 'hands' ? [[keys.length, to.value]] : []));

  test('moves to its current owner, whenever the change arrives', async () => {
    const [ben, cleo] = [home.newPerson(), home.newPerson()];
    const [bot, other] = [home.newAi(ben), home.newAi(ben)];
    const place = (ai: string) => home.place('message', { owner: ben.id, ai }, { title: 'Hi' });
    await place(bot.id);
    await place(other.id);
    // As placed before items named the AI.
    await place('');
    await home.publish({ case: 'aiUnclaimed', value: { ai: { id: bot.id }, owner: ben.id } });
    expect(handsMoves()).toEqual([]);
    home.world.changeAi(bot, { owner: '' });
    await home.publish({ case: 'aiUnclaimed', value: { ai: { id: bot.id }, owner: ben.id } });
    expect(handsMoves()).toMatchObject([[2, { ai: bot.id, owner: '', minor: false }]]);
    home.world.changeAi(bot, { owner: cleo.id });
    await home.publish({ case: 'aiClaimed', value: { ai: { id: bot.id }, status: 'claimed' } });
    expect(handsMoves().at(-1)).toMatchObject([1, { ai: bot.id, owner: cleo.id, minor: false }]);
    const { ida } = family();
    home.world.changeAi(bot, { owner: ida.id });
    await home.publish({ case: 'aiClaimed', value: { ai: { id: bot.id }, status: 'claimed' } });
    expect(handsMoves().at(-1)).toMatchObject([1, { ai: bot.id, owner: ida.id, minor: true }]);
  });

  test('and moves by its own event alone when it was sent under the former owner', async () => {
    const ben = home.newPerson();
    const bot = home.newAi(ben);
    home.world.changeAi(bot, { owner: '' });
    const id = await home.place('message', { owner: ben.id, ai: bot.id }, { title: 'Hi' });
    await home.publish({ case: 'itemsChanged', value: { placed: [home.waiting.items.get(uuidOf(id))!] } });
    expect(handsMoves()).toMatchObject([[1, { ai: bot.id, owner: '' }]]);
  });

  test('is counted for its owner and for the owner’s AIs alike', async () => {
    const ben = home.newPerson();
    const [bot, other] = [home.newAi(ben), home.newAi(ben)];
    await home.place('message', { owner: ben.id, ai: bot.id }, { title: 'Hi' });
    for (const { id } of [ben, bot, other]) {
      const counted = await home.fromGateway.countWaiting({ owner: id, person: ben.id });
      expect(counted).toMatchObject({ requests: 1 });
    }
  });
});

test('an item whose holder changed before its event arrived moves by the event alone', async () => {
  const { gus, gwen, ida } = family();
  Object.assign(ida, { guardians: [gwen.id] });
  const id = await home.place('message', { owner: ida.id, holder: gus.id }, { title: 'Hi' });
  expect(await listOf(gus, gwen)).toEqual([[id], []]);
  await home.publish({ case: 'itemsChanged', value: { placed: [home.waiting.items.get(uuidOf(id))!] } });
  expect(await listOf(gus, gwen)).toEqual([[], [id]]);
});

test('an item whose sender was blocked before its event arrived ends by the event alone', async () => {
  const { gus, ida } = family();
  const eve = home.newPerson();
  // The event of this block was consumed before.
  const text = 'insert into approvals.blocks (person, target, target_id, at) values ($1, $2, $3, now())';
  const values = [gus.id, `@${eve.handle}`, eve.id];
  await home.database.statement((tx) => tx.execute({ text, values }));
  const senders = [eve.id];
  const own = await home.place('message', { owner: gus.id, senders }, { title: 'Hi' });
  const held = await home.place('message', { owner: ida.id, holder: gus.id, senders }, { title: 'Hi' });
  expect(await listOf(gus)).toEqual([expect.arrayContaining([own, held])]);
  const placed = [own, held].map((id) => home.waiting.items.get(uuidOf(id))!);
  await home.publish({ case: 'itemsChanged', value: { placed } });
  expect(await listOf(gus)).toEqual([[]]);
});

test('an item that its source no longer shows is removed', async () => {
  const ben = home.newPerson();
  const id = await home.place('message', { owner: ben.id }, { title: 'Hi' });
  expect(await listOf(ben)).toEqual([[id]]);
  home.waiting.views.delete(uuidOf(id));
  expect(await listOf(ben)).toEqual([[]]);
});
