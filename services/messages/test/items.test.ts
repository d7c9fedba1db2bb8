import { readFileSync } from 'node:fs';
import { sql } from '@hearth/db';
import { unavailable } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { ItemsService } from '@hearth/proto/approvals/v1/items';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { DeleteMode, Delivery } from '@hearth/proto/messages/v1/messages';
import { follows } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { failure, type Move, startMessages } from './start-messages.ts';

const home = await startMessages();
afterAll(() => home.stop());

const { noteItems } = ItemsService.method;
const uuidOf = (printed: string) => parseId('msg', printed)!;
const pair = () => [home.newPerson('Ann'), home.newPerson('Bob')] as const;
const changes = async () => (await home.events('messages', 'itemsChanged')).map(({ data }) => data.value);
const placedEvents = async (id: string) =>
  (await changes()).flatMap(({ placed }) => placed.filter(({ key }) => key!.id === uuidOf(id)));
const closedEvents = async (id: string) =>
  (await changes()).flatMap(({ closed }) => closed.filter((key) => key.id === uuidOf(id)));

/** Drops all notes during the work, as a kill between commit and note would. */
const withoutNotes = async (work: () => Promise<unknown>): Promise<void> => {
  home.peers.fail(noteItems, unavailable('away'));
  await work().finally(() => home.peers.fail(noteItems, undefined));
};

describe('the item of a message', () => {
  test('is recorded before the answer, and announced once however often the request is repeated', async () => {
    const [ann, bob] = pair();
    const again = () => home.send(ann, bob.address, 'x', { requestId: 'r1' });
    const [sent] = await Promise.all([again(), again(), again()]);
    expect(home.items.get(uuidOf(sent.id))).toMatchObject({
      key: { kind: 'message', id: uuidOf(sent.id), part: 0 },
      owner: bob.id,
      holder: '',
      box: 'requests',
      label: 'other',
      senders: [ann.id],
    });
    expect(await placedEvents(sent.id)).toEqual([home.items.get(uuidOf(sent.id))]);
  });

  test('names its sender and the person behind the sender', async () => {
    const [ann, bob] = pair();
    const [anns, bobs] = [home.newAi('helper', { owner: ann }), home.newAi('helper', { owner: bob })];
    const sent = await home.send(anns, bobs.address);
    expect(home.items.get(uuidOf(sent.id))).toMatchObject({ owner: bob.id, senders: [anns.id, ann.id] });
  });

  test('does not exist for a message that is let in, declined, or sent to an AI without an owner', async () => {
    const [ann, bob] = pair();
    home.newGroup([ann, bob]);
    const eve = home.newPerson('Eve');
    home.rules.set(bob.id, { how: 'declined' });
    const sent = [
      await home.send(ann, bob.address),
      await home.send(eve, bob.address),
      await home.send(eve, home.newAi('robin').address),
    ];
    expect(sent.map(({ delivery }) => delivery)).toEqual([
      Delivery.DELIVERED,
      Delivery.DECLINED,
      Delivery.DELIVERED,
    ]);
    for (const { id } of sent) {
      expect(home.items.has(uuidOf(id))).toBe(false);
      expect(await placedEvents(id)).toEqual([]);
    }
  });

  test.each<[string, (id: string, ann: Caller, bob: Caller) => Promise<unknown>]>([
    ['accepted', (id, _, bob) => home.accept(bob, id)],
    ['declined', (id, _, bob) => home.decline(bob, id)],
    ['deleted by its recipient', (id, _, bob) => home.by(bob).deleteMessage({ id })],
    ['unsent by its sender', (id, ann) => home.by(ann).deleteMessage({ id, mode: DeleteMode.RETRACT })],
  ])('is closed when it is %s', async (_, end) => {
    const [ann, bob] = pair();
    for (const frontDoor of ['', home.newAi('door', { owner: bob }).id]) {
      home.rules.set(bob.id, { how: frontDoor === '' ? 'requests' : 'front_door', frontDoor });
      const { id } = await home.send(ann, bob.address);
      expect(home.items.get(uuidOf(id))).toBeTruthy();
      await end(id, ann, bob);
      expect(home.items.get(uuidOf(id))).toBeNull();
      expect(await closedEvents(id)).toHaveLength(1);
    }
  });

  test('stays when its sender deletes their own copy', async () => {
    const [ann, bob] = pair();
    const { id } = await home.send(ann, bob.address);
    await home.by(ann).deleteMessage({ id });
    expect(await home.waiting(bob)).toHaveLength(1);
  });

  test('is recorded by its event when the process ended before recording it', async () => {
    const [ann, bob] = pair();
    let sent = '';
    await withoutNotes(async () => {
      sent = (await home.send(ann, bob.address)).id;
    });
    expect(await home.waiting(bob)).toEqual([]);
    for (const change of await changes()) home.noteItems(change);
    expect((await home.waiting(bob)).map(({ id }) => id)).toEqual([uuidOf(sent)]);
    await withoutNotes(() => home.decline(bob, sent, { silent: true }));
    // The inbox still lists it, but its source no longer does.
    expect((await home.source.showItems({ keys: [{ id: uuidOf(sent) }] }, { caller: bob })).items).toEqual(
      [],
    );
    expect(await failure(home.accept(bob, sent))).toMatch(/^not_found/);
    for (const change of (await changes()).reverse()) home.noteItems(change);
    expect(home.items.get(uuidOf(sent))).toBeNull();
  });

  test('is announced by a job for messages older than items', async () => {
    const [ann, bob] = pair();
    const [waits, ended] = [await home.send(ann, bob.address), await home.send(ann, bob.address)];
    const migration = readFileSync(new URL('../migrations/0004-items.sql', import.meta.url), 'utf8');
    const fill = /insert into items_to_note[^;]*/.exec(migration)![0];
    const before = (await changes()).length;
    // In one transaction, because the job also runs on its own.
    await home.database.transaction(async (tx) => {
      await tx.execute({ text: fill.replaceAll(/(?<=into |from )/g, 'messages.') });
      await tx.execute(sql`
        update messages.messages set recipient_deleted_at = at where id = ${uuidOf(ended.id)}`);
    });
    await home.runJob('messages: note-earlier');
    await follows(async () => expect(await changes()).toHaveLength(before + 1));
    expect(await placedEvents(waits.id)).toEqual([
      home.items.get(uuidOf(waits.id)),
      home.items.get(uuidOf(waits.id)),
    ]);
    expect(await placedEvents(ended.id)).toHaveLength(1);
    await home.runJob('messages: note-earlier');
    expect(await changes()).toHaveLength(before + 1);
    // The following tests compare all items with the pending messages.
    await home.run(
      sql`update messages.messages set recipient_deleted_at = null where id = ${uuidOf(ended.id)}`,
    );
    await home.decline(bob, ended.id, { silent: true });
  });
});

/** The pending messages in their table. */
const stored = () =>
  home.database.db.query<{ id: string; owner: string; holder: string; box: string; label: string }>(sql`
    select id, person as owner, coalesce(holder::text, '') as holder,
      (array['inbox', 'requests', 'front_door'])[box] as box,
      (array['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'])[
        coalesce(counts_as, request_kind)] as label
    from messages.messages
    where box in (2, 3) and retracted_at is null and recipient_deleted_at is null order by id`);
const open = () =>
  [...home.items.values()]
    .filter((item) => item !== null)
    .map(({ box, holder, key, label, owner }) => ({ id: key!.id, owner, holder, box, label }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));

test('moving items again changes nothing and notifies nobody', async () => {
  const [ann, bob] = pair();
  const { parent, child } = home.newFamily();
  const other = home.newPerson('Olga');
  const door = home.newAi('door', { owner: bob });
  home.rules.set(bob.id, { how: 'front_door', frontDoor: door.id });
  const atDoor = await home.send(ann, bob.address);
  const atParent = await home.send(ann, child.address);
  const keys = [atDoor, atParent].map(({ id }) => ({ kind: 'message', id: uuidOf(id) }));
  const rows = () =>
    home.database.db.query(sql`
      select m.*, b.unread, b.last_seq from messages.messages m join messages.mailboxes b on b.owner = m.recipient
      where m.id = any(${keys.map(({ id }) => id)}::uuid[]) order by m.id`);
  const family = (who: Caller, ...answering: Caller[]): Move => ({
    case: 'family',
    value: { child: who.id, answering: answering.map(({ id }) => id) },
  });
  // The holders of both after each move.
  const moves: [Move, string[]][] = [
    [family(child, other, parent), [door.id, parent.id]],
    [family(child, other), [door.id, other.id]],
    // For adults, no guardian holds anything, and the AI at the front door stays.
    [family(bob, bob), [door.id, other.id]],
    // A person under 18 has no front door.
    [{ case: 'owner', value: true }, ['', other.id]],
    [family(child, child), ['', '']],
    [{ case: 'end', value: 'blocked' }, []],
  ];
  for (const [to, holders] of moves) {
    const first = await home.source.moveItems({ keys, to });
    const byKey = new Map(first.change!.placed.map((item) => [item.key!.id, item]));
    expect(keys.flatMap(({ id }) => byKey.get(id)?.holder ?? [])).toEqual(holders);
    const before = { rows: await rows(), events: (await home.events('messages')).length };
    expect(await home.source.moveItems({ keys, to })).toEqual(first);
    expect({ rows: await rows(), events: (await home.events('messages')).length }).toEqual(before);
  }
  const { change } = await home.source.moveItems({ keys, to: { case: 'owner', value: true } });
  expect(change).toMatchObject({ placed: [], closed: keys });
  home.noteItems(change!);
});

test('any acts in any order leave exactly the pending messages in the box', async () => {
  const senders = [home.newPerson('Ann'), home.newPerson('Eve'), home.newAi('robin')];
  const [parent, other] = [home.newPerson('Pat'), home.newPerson('Olga')];
  const step = fc.record({
    what: fc.constantFrom(
      'send',
      'send',
      'reply',
      'accept',
      'decline',
      'delete',
      'retract',
      'relabel',
      'move',
    ),
    from: fc.nat(senders.length - 1),
    at: fc.nat(),
    to: fc.nat(4),
    noted: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), fc.nat(), async (steps, seed) => {
      const bob = home.newPerson('Bob');
      const door = home.newAi('door', { owner: bob });
      const child = home.newPerson('Tim', { ageBand: AgeBand.CHILD, guardians: [parent.id] });
      home.rules.set(bob.id, { how: 'front_door', frontDoor: door.id });
      home.rules.set(child.id, { how: 'requests', guardian: parent.id });
      const recipients = [
        bob.address,
        child.address,
        home.newAi('own', { owner: home.newPerson('Bo') }).address,
      ];
      const sent: { id: string; from: Caller }[] = [];
      const targets: Move[] = [
        { case: 'owner', value: true },
        { case: 'family', value: { child: child.id, answering: [other.id] } },
        { case: 'family', value: { child: child.id, answering: [child.id] } },
        { case: 'family', value: { child: child.id, answering: [] } },
        { case: 'end', value: 'blocked' },
      ];
      const take = async ({ what, from, at, to }: { what: string; from: number; at: number; to: number }) => {
        const known = sent[at % Math.max(1, sent.length)];
        const sender = senders[from]!;
        const recipient = recipients[to % recipients.length]!;
        const write = async (more: object) => {
          const request = { to: recipient, text: 'x', ...more };
          sent.push({ ...(await home.by(sender).sendMessage(request)), from: sender });
        };
        if (what === 'send') return await write({});
        if (known === undefined) return;
        const { id } = known;
        if (what === 'reply') {
          const reply = { id, text: 'and' };
          sent.push({ ...(await home.by(known.from).replyMessage(reply)), from: known.from });
          return;
        }
        const item = home.items.get(uuidOf(id));
        if (what === 'move')
          return await home.moveItems(targets[to]!, ({ holder, owner, senders }) =>
            to === 0
              ? holder === door.id
              : to === 4
                ? senders.includes(sender.id) && owner === bob.id
                : owner === child.id,
          );
        if (what === 'retract')
          return await home.by(known.from).deleteMessage({ id, mode: DeleteMode.RETRACT });
        const viewers = [bob, door, child, parent, other];
        const caller =
          viewers.find((viewer) => viewer.id === (item?.holder || item?.owner)) ?? viewers[at % 5]!;
        if (what === 'delete') return await home.by(caller).deleteMessage({ id });
        if (what === 'accept') return await home.accept(caller, id, to === 0 ? 'yes' : '');
        if (what === 'decline') return await home.decline(caller, id, { silent: to > 2 });
        await home.relabel(caller, id, 'sales');
      };
      for (const one of steps) {
        if (!one.noted) home.peers.fail(noteItems, unavailable('away'));
        // A step that the caller may not take, or may not take any longer, is refused.
        await failure(take(one));
        home.peers.fail(noteItems, undefined);
      }
      const heard = await changes();
      for (const [index] of heard.entries()) home.noteItems(heard[(index * 7919 + seed) % heard.length]!);
      for (const change of heard) home.noteItems(change);
      expect(open()).toEqual(await stored());
    }),
    { numRuns: 25 },
  );
});

describe('messages that offer times', () => {
  const offers = async (
    host: Caller,
    guests: readonly Caller[],
    data: { offer?: string; meeting?: string },
  ) =>
    await Promise.all(
      guests.map(async ({ address: to }) => {
        const request = {
          to,
          title: 'A call',
          text: 'Times',
          data,
          requestId: `${to}.${data.offer ?? data.meeting}`,
        };
        return (await home.asDecisions.sendOffer(request, { caller: host })).id;
      }),
    );
  const isWaiting = (id: string | undefined) => home.items.get(uuidOf(id!)) !== null;
  const printed = (prefix: string, id: string) => `${prefix}_${id.replaceAll('-', '')}`;
  const sideOf = ({ id }: Caller) => ({ id, person: id });

  test('leave the requests of people who booked, and of all once the offer is used up or withdrawn', async () => {
    const [ann, bob] = pair();
    const cleo = home.newPerson('Cleo');
    const [first, second, third] = [home.ids.uuid(), home.ids.uuid(), home.ids.uuid()];
    const sent = await Promise.all(
      [first, second, third].map((offer) => offers(ann, [bob, cleo], { offer: printed('ofr', offer) })),
    );
    const meeting = { meeting: home.ids.uuid(), sides: [ann, bob].map(sideOf), what: 'booked' };
    const booked = (offer: string, offerOver: boolean) =>
      home.publish({
        case: 'meetingChanged',
        value: { ...meeting, offer: printed('ofr', offer), offerOver },
      });
    await booked(first, false);
    expect(sent.map((ids) => ids.map(isWaiting))).toEqual([
      [false, true],
      [true, true],
      [true, true],
    ]);
    for (let times = 0; times < 2; times += 1) await booked(second, true);
    await home.publish({ case: 'offerChanged', value: { offer: third, host: ann.id, what: 'withdrawn' } });
    expect(sent.map((ids) => ids.map(isWaiting))).toEqual([
      [false, true],
      [false, false],
      [false, false],
    ]);
    expect(await home.waiting(bob)).toEqual([]);
    expect((await home.by(bob).listMessages({})).messages).toEqual([]);
    expect(await closedEvents(sent[1]![0]!)).toHaveLength(1);
  });

  test('leave the requests once a proposed move was answered, while a newer proposal waits', async () => {
    const [ann, bob] = pair();
    const [meeting, other] = [home.ids.uuid(), home.ids.uuid()];
    const proposed = async (id: string, requestId = '') =>
      (await offers(ann, [bob], { meeting: printed('mtg', id) + requestId }))[0];
    const [one, another] = [await proposed(meeting), await proposed(other)];
    const told = async (what: string, fields = {}) =>
      await home.publish(
        { case: 'meetingChanged', value: { meeting, sides: [bob, ann].map(sideOf), what } },
        fields,
      );
    const { at } = await told('moved');
    expect([isWaiting(one), isWaiting(another)]).toEqual([false, true]);
    home.clock.advance(1_000);
    const request = {
      to: bob.address,
      title: 'A call',
      text: 'Later',
      data: { meeting: printed('mtg', meeting) },
    };
    const { id: later } = await home.asDecisions.sendOffer(
      { ...request, requestId: 'later' },
      { caller: ann },
    );
    await told('moved', { at: at! });
    expect(isWaiting(later)).toBe(true);
    await told('cancelled');
    expect([isWaiting(later), isWaiting(another)]).toEqual([false, true]);
  });

  test('expire with the last of their times', async () => {
    const [ann, bob] = pair();
    const data = { offer: printed('ofr', home.ids.uuid()), expires_at: '2027-01-01T10:00:00.000Z' };
    const [id] = await offers(ann, [bob], data);
    expect(home.items.get(uuidOf(id!))?.expires?.seconds).toBe(BigInt(Date.parse(data.expires_at) / 1_000));
  });
});
