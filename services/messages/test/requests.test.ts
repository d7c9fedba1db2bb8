import { sql } from '@hearth/db';
import { parseId, printId } from '@hearth/ids';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { Box, Delivery, RequestKind } from '@hearth/proto/messages/v1/messages';
import { eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { failure, startMessages, turnedAway } from './start-messages.ts';

const home = await startMessages();
afterAll(() => home.stop());

const { OTHER, SALES, PERSONAL } = RequestKind;
const { send } = home;
const { received } = home;
const { unread } = home;
const threads = async (by: Caller) => (await home.by(by).listThreads({})).threads;
const uuidOf = (printed: string) => parseId('msg', printed)!;
const { waiting } = home;
const { announced: eventOf } = home;

/** Expects the unread counter to match the messages. */
const consistent = async () => {
  const rows = await home.database.db.query(sql`
    select b.owner from messages.mailboxes b where b.unread <> (
      select count(*) from messages.messages m where m.recipient = b.owner and m.read_at is null
        and m.retracted_at is null and m.recipient_deleted_at is null and m.holder is null)`);
  expect(rows).toEqual([]);
};

describe('a message by the recipient’s rules', () => {
  test('asks for the reach with all facts that decide it', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const [anns, bobs] = [home.newAi('helper', { owner: ann }), home.newAi('helper', { owner: bob })];
    await send(anns, bobs.address, 'x', { requestKind: SALES });
    expect(home.reaches().at(-1)).toMatchObject({
      sender: anns.id,
      senderKind: 'ai',
      senderPerson: ann.id,
      checked: true,
      recipient: bob.id,
      recipientAi: bobs.id,
      kind: SALES,
      count: true,
      wroteBefore: false,
      family: false,
    });
    await send(home.newAi('robin'), bob.address);
    expect(home.reaches().at(-1)).toMatchObject({
      checked: false,
      senderPerson: '',
      recipientAi: '',
      kind: OTHER,
    });
    // A contact of a person or of any of their AIs is known to all of them.
    await send(bob, ann.address);
    await send(anns, bobs.address);
    expect(home.reaches().at(-1)).toMatchObject({ wroteBefore: true });
  });

  test('that is declined gives the sender a polite no, and the recipient nothing', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    home.rules.set(bob.id, { how: 'declined' });
    const sent = await send(ann, bob.address, 'buy this', { requestId: 'r1' });
    expect(sent).toMatchObject({ delivery: Delivery.DECLINED, box: Box.SENT, text: 'buy this' });
    expect(sent.politeNo).toMatch(/^Thank you/);
    expect(await received(ann, { box: Box.SENT })).toHaveLength(1);
    for (const box of [undefined, Box.INBOX, Box.REQUESTS, Box.FRONT_DOOR])
      expect(await received(bob, { box })).toEqual([]);
    expect(await unread(bob)).toBe(0);
    expect(await threads(bob)).toEqual([]);
    expect(await failure(home.by(bob).getMessage({ id: sent.id }))).toMatch(/^not_found/);
    expect(await eventOf(sent.id)).toEqual([]);
    expect(await waiting(bob)).toEqual([]);
    const again = await send(ann, bob.address, 'buy this', { requestId: 'r1' });
    expect(again).toEqual(sent);
    await consistent();
  });

  test('with a repeated request_id asks for the reach once', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const first = await send(ann, bob.address, 'once', { requestId: 'r2' });
    const asked = home.reaches().length;
    expect(await send(ann, bob.address, 'once', { requestId: 'r2' })).toEqual(first);
    expect(await failure(send(ann, bob.address, 'twice', { requestId: 'r2' }))).toMatch(/^request_id_reused/);
    expect(home.reaches()).toHaveLength(asked);
  });

  test('from an AI without an owner waits quietly, under the kind that the recipient set', async () => {
    const bob = home.newPerson('Bob');
    const robin = home.newAi('robin');
    home.rules.set(bob.id, { how: 'requests', quiet: true, kind: SALES });
    const sent = await send(robin, bob.address, 'hi', { requestKind: PERSONAL });
    // The sender does not see the kind that it counts as.
    expect(sent).toMatchObject({ delivery: Delivery.REQUESTED, requestKind: PERSONAL });
    expect((await received(bob))[0]).toMatchObject({ requestKind: SALES, box: Box.REQUESTS });
    expect(await eventOf(sent.id)).toMatchObject([{ to: bob.id, box: 'requests', quiet: true }]);
    expect(await waiting(bob)).toMatchObject([
      {
        id: uuidOf(sent.id),
        label: 'sales',
        senders: [robin.id],
        fromStatus: 'unclaimed',
        nameVerified: false,
      },
    ]);
  });

  test('is accepted by an AI without an owner, except from senders it blocks', async () => {
    const [robin, wren, jay] = [home.newAi('robin'), home.newAi('wren'), home.newAi('jay')];
    const before = home.reaches().length;
    expect((await send(robin, wren.address)).delivery).toBe(Delivery.DELIVERED);
    await home.publish({
      case: 'blocked',
      value: { person: wren.id, target: robin.address, targetId: robin.id },
    });
    const write = () => failure(send(robin, wren.address));
    await eventually(async () => (await write()) !== 'none');
    expect(await write()).toBe(turnedAway);
    expect(await failure(send(jay, wren.address))).toBe('none');
    home.clock.advance(1_000);
    await home.publish({
      case: 'unblocked',
      value: { person: wren.id, target: robin.address, targetId: robin.id },
    });
    await eventually(async () => (await write()) === 'none');
    expect(await write()).toBe('none');
    expect(home.reaches()).toHaveLength(before);
  });
});

describe('the front door', () => {
  const atDoor = async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const door = home.newAi('door', { owner: bob });
    home.rules.set(bob.id, { how: 'front_door', frontDoor: door.id });
    return { ann, bob, door, sent: await send(ann, bob.address, 'let me in') };
  };

  test('the AI there sees it first and is woken, and the person finds it only there', async () => {
    const { ann, bob, door, sent } = await atDoor();
    expect(sent).toMatchObject({ delivery: Delivery.FRONT_DOOR, to: bob.address });
    expect(await eventOf(sent.id)).toMatchObject([{ to: door.id, box: 'front_door' }]);
    expect(await received(door, { box: Box.FRONT_DOOR })).toMatchObject([
      { id: sent.id, to: bob.address, from: ann.address, box: Box.FRONT_DOOR },
    ]);
    expect(await received(door)).toEqual([]);
    expect(await received(bob)).toEqual([]);
    expect(await unread(bob)).toBe(0);
    expect(await received(bob, { box: Box.FRONT_DOOR })).toHaveLength(1);
    expect(await waiting(bob)).toEqual([]);
    expect(await waiting(door)).toMatchObject([
      { id: uuidOf(sent.id), holder: door.id, owner: bob.id, box: 'front_door' },
    ]);
    expect(await received(home.newAi('other', { owner: bob }), { box: Box.FRONT_DOOR })).toEqual([]);
    expect((await home.by(door).getMessage({ id: sent.id })).text).toBe('let me in');
    const poll = await home.by(bob).listMessages({ unread: true, wait: 1 });
    expect(poll.messages).toEqual([]);
    await consistent();
  });

  test('the AI replies in a thread of its own', async () => {
    const { ann, bob, door, sent } = await atDoor();
    const answer = await home.by(door).replyMessage({ id: sent.id, text: 'what for?' });
    expect(answer).toMatchObject({ to: ann.address, from: door.address, replyTo: sent.id });
    expect(answer.thread).not.toBe(sent.thread);
    expect(await received(bob)).toEqual([]);
    // The person's side of the conversation does not change either.
    expect((await threads(bob)).map(({ id, box }) => [id, box])).toEqual([[sent.thread, Box.FRONT_DOOR]]);
  });

  test('is listed page by page, by sender and thread', async () => {
    const { ann, bob, door, sent } = await atDoor();
    const eve = home.newPerson('Eve');
    const all = [sent.id];
    for (let count = 0; count < 4; count += 1) {
      home.clock.advance(count % 2);
      all.push((await send(eve, bob.address)).id);
    }
    const read: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await home
        .by(door)
        .listMessages({ box: Box.FRONT_DOOR, limit: 2, ...(cursor !== undefined && { cursor }) });
      read.push(...page.messages.map(({ id }) => id));
      cursor = page.nextCursor;
      more = cursor !== undefined;
    }
    expect([...read].sort()).toEqual([...all].sort());
    const ids = async (more: object) =>
      (await received(door, { box: Box.FRONT_DOOR, ...more })).map(({ id }) => id);
    expect(await ids({ from: ann.address })).toEqual([sent.id]);
    expect(await ids({ thread: sent.thread })).toEqual([sent.id]);
    expect(await ids({ since: new Date(home.clock.now()).toISOString() })).toEqual([]);
    expect(await failure(ids({ cursor: 'x' }))).toMatch(/^bad_field/);
    expect(await failure(ids({ since: 'x' }))).toMatch(/^bad_field/);
  });

  test('a message that is accepted is new to the person, at the end of their mailbox, and its thread continues there', async () => {
    const { ann, bob, door, sent } = await atDoor();
    const later = await send(home.newAi('own', { owner: bob }), bob.address, 'meanwhile');
    await home.accept(door, sent.id);
    const since = await received(bob, { since: later.id });
    expect(since).toMatchObject([{ id: sent.id, box: Box.INBOX }]);
    expect(await unread(bob)).toBe(2);
    expect(await received(door, { box: Box.FRONT_DOOR })).toEqual([]);
    expect((await eventOf(sent.id)).at(-1)).toMatchObject({ to: bob.id, box: 'inbox' });
    expect((await threads(bob)).find(({ id }) => id === sent.thread)).toMatchObject({ box: Box.INBOX });
    await home.by(ann).sendMessage({ thread: sent.thread, text: 'thanks' });
    expect(home.reaches().at(-1)).toMatchObject({ wroteBefore: true });
    const inThread = await home.by(bob).getThread({ id: sent.thread });
    expect(inThread.messages.map(({ text }) => text)).toEqual(['thanks', 'let me in']);
    // A new thread is judged again.
    await send(ann, bob.address, 'and another thing');
    expect(home.reaches().at(-1)).toMatchObject({ wroteBefore: false });
    await consistent();
  });

  test('a message that is released comes after earlier ones, even for a reader who continues from a time', async () => {
    const { bob, door, sent } = await atDoor();
    const own = home.newAi('own', { owner: bob });
    const textsSince = async (time: number) =>
      (await received(bob, { since: new Date(time).toISOString() })).map(({ text }) => text).sort();
    const begin = home.clock.now();
    for (const text of ['one', 'two', 'three']) {
      home.clock.advance(60_000);
      await send(own, bob.address, text);
    }
    home.clock.advance(60_000);
    await home.accept(door, sent.id);
    const [last] = await received(bob, {});
    expect(last).toMatchObject({ id: sent.id });
    const all = ['let me in', 'one', 'three', 'two'];
    expect(await textsSince(begin)).toEqual(all);
    expect(await textsSince(begin + 90_000)).toEqual(['let me in', 'three', 'two']);
    expect(await textsSince(begin + 210_000)).toEqual(['let me in']);
    expect(await textsSince(home.clock.now())).toEqual([]);
  });

  test('a message without an AI at the door is new in the person’s requests', async () => {
    const { ann, bob, door, sent } = await atDoor();
    const later = await send(home.newAi('own', { owner: bob }), bob.address, 'meanwhile');
    await home.moveItems({ case: 'owner', value: true }, ({ holder }) => holder === door.id);
    expect(await waiting(bob)).toMatchObject([{ id: uuidOf(sent.id), holder: '', box: 'requests' }]);
    expect(await received(bob, { since: later.id })).toMatchObject([
      { id: sent.id, box: Box.REQUESTS, from: ann.address },
    ]);
    expect(await received(door, { box: Box.FRONT_DOOR })).toEqual([]);
    expect(await unread(bob)).toBe(2);
    await consistent();
  });

  test('a message that its sender unsends is no longer counted', async () => {
    const { ann, door, sent } = await atDoor();
    await home.by(ann).deleteMessage({ id: sent.id, mode: 2 });
    expect(await received(door, { box: Box.FRONT_DOOR })).toEqual([]);
    expect(await waiting(door)).toEqual([]);
    await consistent();
  });
});

describe('a message waiting in the requests', () => {
  test('is listed for a person and their AIs alike', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const bobs = home.newAi('helper', { owner: bob });
    const first = await send(ann, bob.address, 'first', { requestKind: SALES, title: 'Sale' });
    home.clock.advance(1_000);
    const second = await send(home.newAi('robin'), bobs.address, 'second');
    const all = await waiting(bob);
    expect(all).toMatchObject([
      { id: uuidOf(second.id), owner: bob.id, to: bobs.address, label: 'other', nameVerified: false },
      {
        id: uuidOf(first.id),
        owner: bob.id,
        holder: '',
        box: 'requests',
        label: 'sales',
        senders: [ann.id],
        title: 'Sale',
        preview: 'first',
        from: ann.address,
        fromName: 'Ann',
        fromStatus: 'person',
        nameVerified: true,
        to: bob.address,
      },
    ]);
    expect(await waiting(bobs)).toEqual(all);
    expect(await waiting(ann)).toEqual([]);
  });

  test('moves to the inbox with its thread when it is accepted, and a note goes back', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const sent = await send(ann, bob.address, 'one');
    await home.by(ann).sendMessage({ thread: sent.thread, text: 'two' });
    expect(await waiting(bob)).toHaveLength(2);
    expect(await home.accept(bob, sent.id, 'Welcome')).toMatchObject({ status: 'inbox' });
    expect((await received(bob, { box: Box.INBOX })).map(({ text }) => text)).toEqual(['two', 'one']);
    expect(await waiting(bob)).toEqual([]);
    expect(await received(ann)).toMatchObject([
      { text: 'Welcome', from: bob.address, thread: sent.thread, replyTo: sent.id },
    ]);
    // An answer makes the two contacts.
    await send(ann, bob.address, 'anew');
    expect(home.reaches().at(-1)).toMatchObject({ wroteBefore: true });
    expect(await failure(home.accept(bob, sent.id))).toMatch(/^not_found/);
    await consistent();
  });

  test('disappears for the recipient when it is declined, and the sender gets a polite no that introduces nobody', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const sent = await send(ann, bob.address, 'one');
    await home.decline(bob, sent.id);
    expect(await received(bob)).toEqual([]);
    expect(await unread(bob)).toBe(0);
    expect(await threads(bob)).toEqual([]);
    const [no] = await received(ann);
    expect(no).toMatchObject({ from: bob.address, fromName: 'Bob', thread: sent.thread, box: Box.INBOX });
    expect(no!.text).toMatch(/^Thank you/);
    await home.by(ann).replyMessage({ id: no!.id, text: 'but' });
    expect(home.reaches().at(-1)).toMatchObject({ wroteBefore: false });
    expect(await waiting(bob)).toHaveLength(1);
    await consistent();
  });

  test('to an AI is declined by the AI, and a silent no sends nothing', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const bobs = home.newAi('helper', { owner: bob });
    const [one, two] = [await send(ann, bobs.address), await send(ann, bobs.address)];
    await home.decline(bob, one.id, { note: 'No, thanks' });
    expect(await received(ann)).toMatchObject([{ from: bobs.address, text: 'No, thanks' }]);
    await home.decline(bob, two.id, { silent: true });
    expect(await received(ann)).toHaveLength(1);
    expect(await waiting(bob)).toEqual([]);
    await consistent();
  });

  test('counts as another kind after a relabel, for the recipient only', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const sent = await send(ann, bob.address, 'x', { requestKind: PERSONAL });
    const further = await home.by(ann).sendMessage({ thread: sent.thread, text: 'y' });
    await home.relabel(bob, sent.id, 'sales');
    expect((await waiting(bob)).map(({ id, label }) => [id, label])).toEqual([
      [uuidOf(sent.id), 'sales'],
      [uuidOf(further.id), 'sales'],
    ]);
    expect((await received(bob))[0]!.requestKind).toBe(SALES);
    const sentOnes = await received(ann, { box: Box.SENT });
    expect(sentOnes.find(({ id }) => id === sent.id)!.requestKind).toBe(PERSONAL);
  });

  test('cannot be settled by anyone else', async () => {
    const [ann, bob, eve] = [home.newPerson('Ann'), home.newPerson('Bob'), home.newPerson('Eve')];
    const sent = await send(ann, bob.address);
    for (const other of [ann, eve]) {
      expect(await failure(home.accept(other, sent.id))).toMatch(/^not_found/);
      expect(await failure(home.decline(other, sent.id))).toMatch(/^not_found/);
      expect(await failure(home.relabel(other, sent.id, 'sales'))).toMatch(/^not_found/);
      expect(await failure(home.pass(other, sent.id))).toMatch(/^not_found/);
      const keys = [{ kind: 'message', id: uuidOf(sent.id) }];
      expect((await home.source.showItems({ keys }, { caller: other })).items).toEqual([]);
    }
    expect(await failure(home.pass(bob, sent.id))).toMatch(/^no_permission: .*front door of your person/);
    const seen = async (by: Caller) =>
      (await home.asApprovals.findSeenMessage({ viewer: by.id, id: uuidOf(sent.id) })).author;
    const author = printId('per', ann.id);
    expect([await seen(ann), await seen(bob), await seen(eve)]).toEqual([author, author, '']);
  });

  test('is either accepted or declined when both happen at once', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    for (let round = 0; round < 5; round += 1) {
      const sent = await send(ann, bob.address);
      const outcomes = await Promise.all([
        failure(home.accept(bob, sent.id)),
        failure(home.decline(bob, sent.id, { silent: true })),
        failure(home.decline(bob, sent.id, { silent: true })),
      ]);
      expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    }
    await consistent();
  });

  test('ends silently when a person blocks the sender or the sender’s person', async () => {
    const [ann, bob, eve] = [home.newPerson('Ann'), home.newPerson('Bob'), home.newPerson('Eve')];
    const [evesAi, bobsAi] = [home.newAi('helper', { owner: eve }), home.newAi('helper', { owner: bob })];
    await send(eve, bob.address);
    await send(evesAi, bobsAi.address);
    const stays = await send(ann, bob.address);
    await home.moveItems({ case: 'end', value: 'blocked' }, ({ senders }) => senders.includes(eve.id));
    expect((await waiting(bob)).map(({ id }) => id)).toEqual([uuidOf(stays.id)]);
    expect(await received(bobsAi)).toEqual([]);
    expect(await received(eve)).toEqual([]);
    expect(await received(eve, { box: Box.SENT })).toHaveLength(1);
    await consistent();
  });
});

describe('requests to an AI that changes owners', () => {
  const hands = (ai: Caller, owner = '', minor = false) =>
    home.moveItems({ case: 'hands', value: { ai: ai.id, owner, minor } }, () => true);

  async function waitingForAi() {
    const [ann, bob, cleo] = [home.newPerson('Ann'), home.newPerson('Bob'), home.newPerson('Cleo')];
    const bot = home.newAi('helper', { owner: bob });
    const sent = await send(ann, bot.address, 'for the helper');
    const own = await send(ann, bob.address, 'for Bob');
    expect(await waiting(bob)).toHaveLength(2);
    return { ann, bob, cleo, bot, sent, own };
  }

  test('are hidden from the former owner, even before they have moved', async () => {
    const { ann, bob, cleo, bot, sent, own } = await waitingForAi();
    for (const owner of ['', cleo.id]) {
      home.changeAi(bot, { owner });
      const keys = [sent, own].map(({ id }) => ({ kind: 'message', id: uuidOf(id) }));
      const { items } = await home.source.showItems({ keys }, { caller: bob });
      expect(items.map(({ key }) => key!.id)).toEqual([uuidOf(own.id)]);
      for (const act of [home.accept, home.decline, home.pass])
        expect(await failure(act(bob, sent.id))).toMatch(/^not_found/);
      expect(await failure(home.relabel(bob, sent.id, 'sales'))).toMatch(/^not_found/);
    }
    expect(await received(ann)).toEqual([]);
  });

  test('move to the AI’s inbox when it has no owner, once and not as accepted', async () => {
    const { ann, bob, cleo, bot, sent, own } = await waitingForAi();
    home.changeAi(bot, { owner: '' });
    for (let times = 0; times < 2; times += 1) await hands(bot);
    expect((await waiting(bob)).map(({ id }) => id)).toEqual([uuidOf(own.id)]);
    expect(await received(bot, { box: Box.INBOX })).toMatchObject([{ id: sent.id }]);
    expect((await threads(bot)).find(({ id }) => id === sent.thread)).toMatchObject({ box: Box.INBOX });
    expect(await unread(bot)).toBe(1);
    // The next owner's rules apply to its further messages.
    home.changeAi(bot, { owner: cleo.id });
    await home.by(ann).sendMessage({ thread: sent.thread, text: 'more' });
    expect(home.reaches().at(-1)).toMatchObject({ recipient: cleo.id, wroteBefore: false });
    await consistent();
  });

  test('wait for a new owner, and end when that owner is under 18', async () => {
    const { bob, cleo, bot, sent } = await waitingForAi();
    home.changeAi(bot, { owner: cleo.id });
    await hands(bot, cleo.id);
    expect(await waiting(cleo)).toMatchObject([{ id: uuidOf(sent.id), owner: cleo.id, box: 'requests' }]);
    expect(await failure(home.accept(bob, sent.id))).toMatch(/^not_found/);
    const { child } = home.newFamily();
    home.changeAi(bot, { owner: child.id });
    await hands(bot, child.id, true);
    expect(await waiting(cleo)).toEqual([]);
    expect(await received(bot)).toEqual([]);
    await consistent();
  });

  test('can no longer be settled by an AI at the front door that changed owners', async () => {
    const [ann, bob, cleo] = [home.newPerson('Ann'), home.newPerson('Bob'), home.newPerson('Cleo')];
    const door = home.newAi('door', { owner: bob });
    home.rules.set(bob.id, { how: 'front_door', frontDoor: door.id });
    const { id } = await send(ann, bob.address, 'let me in');
    const moved = { ...door, person: cleo.id };
    expect(await failure(home.accept(moved, id))).toMatch(/^not_found/);
    expect(await failure(home.decline(moved, id))).toMatch(/^not_found/);
    await home.accept(door, id);
  });

  test('from the former owner’s front door are new to the AI', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const [bot, door] = [home.newAi('helper', { owner: bob }), home.newAi('door', { owner: bob })];
    home.rules.set(bob.id, { how: 'front_door', frontDoor: door.id });
    const sent = await send(ann, bot.address, 'let me in');
    home.changeAi(bot, { owner: '' });
    await hands(bot);
    expect(await received(door, { box: Box.FRONT_DOOR })).toEqual([]);
    expect(await received(bot, { box: Box.INBOX })).toMatchObject([{ id: sent.id }]);
    expect((await eventOf(sent.id)).at(-1)).toMatchObject({ to: bot.id, box: 'inbox' });
    expect(await unread(bot)).toBe(1);
    await consistent();
  });
});

describe('a person under 18', () => {
  test('is asked through the guardian, and sees nothing until the guardian accepts', async () => {
    const { parent, child } = home.newFamily();
    const eve = home.newPerson('Eve');
    const sent = await send(eve, child.address, 'hello Tim');
    expect(sent.delivery).toBe(Delivery.REQUESTED);
    expect(sent.to).toBe(home.shielded(child, eve));
    expect(await eventOf(sent.id)).toMatchObject([{ to: parent.id, box: 'requests' }]);
    for (const box of [undefined, Box.REQUESTS, Box.FRONT_DOOR])
      expect(await received(child, { box })).toEqual([]);
    expect(await threads(child)).toEqual([]);
    expect(await unread(child)).toBe(0);
    expect(await failure(home.by(child).getMessage({ id: sent.id }))).toMatch(/^not_found/);
    expect(await failure(home.by(child).getThread({ id: sent.thread }))).toMatch(/^not_found/);
    expect(await waiting(child)).toEqual([]);
    expect(await failure(home.accept(child, sent.id))).toMatch(/^not_found/);
    expect(await waiting(parent)).toMatchObject([
      { id: uuidOf(sent.id), owner: child.id, to: printId('per', child.id) },
    ]);
    expect((await home.by(parent).getMessage({ id: sent.id })).text).toBe('hello Tim');
    await home.accept(parent, sent.id);
    expect(await received(child)).toMatchObject([{ id: sent.id, box: Box.INBOX }]);
    expect(await unread(child)).toBe(1);
    expect((await threads(child)).map(({ id }) => id)).toEqual([sent.thread]);
    expect((await eventOf(sent.id)).at(-1)).toMatchObject({ to: child.id, box: 'inbox' });
    await consistent();
  });

  test('has the message moved to the next guardian, to themselves once of age, or to nobody', async () => {
    const { parent, child } = home.newFamily();
    const other = home.newPerson('Olga Other');
    const sent = await send(home.newPerson('Eve'), child.address);
    const answerFor = (answering: Caller[], of = child, suspended: Caller[] = []) => {
      const idsOf = (people: Caller[]) => people.map(({ id }) => id);
      const family = { child: of.id, answering: idsOf(answering), suspended: idsOf(suspended) };
      return home.moveItems({ case: 'family', value: family }, ({ owner }) => owner === of.id);
    };
    await answerFor([parent, other]);
    expect(await waiting(parent)).toHaveLength(1);
    await answerFor([other, parent], child, [parent]);
    expect(await waiting(other)).toHaveLength(1);
    await answerFor([parent]);
    expect(await waiting(parent)).toHaveLength(1);
    await answerFor([other]);
    expect(await waiting(other)).toHaveLength(1);
    expect(await waiting(parent)).toEqual([]);
    await answerFor([child]);
    expect(await waiting(child)).toHaveLength(1);
    expect(await received(child)).toMatchObject([{ id: sent.id, box: Box.REQUESTS }]);
    expect((await threads(child)).map(({ box }) => box)).toEqual([Box.REQUESTS]);
    expect(await waiting(other)).toEqual([]);

    const orphan = home.newFamily();
    await send(home.newPerson('Eve'), orphan.child.address);
    await answerFor([], orphan.child);
    expect(await waiting(orphan.parent)).toEqual([]);
    expect(await received(orphan.child)).toEqual([]);
    await consistent();
  });

  test('is named in a guardian’s no by the name that the sender knows', async () => {
    const { parent, child } = home.newFamily();
    const eve = home.newPerson('Eve');
    const sent = await send(eve, child.address);
    await home.decline(parent, sent.id);
    const [no] = await received(eve);
    expect(no).toMatchObject({ from: home.shielded(child, eve), fromName: 'Tim B.' });
    expect(await received(child)).toEqual([]);
    expect(await received(child, { box: Box.SENT })).toEqual([]);
    await consistent();
  });

  test('is refused under a handle that the sender may not know, and reached under the shielded id', async () => {
    const { child } = home.newFamily();
    const fellow = home.newPerson('Fay Fellow');
    home.newGroup([child, fellow]);
    expect(await failure(send(fellow, child.address))).toBe(turnedAway);
    expect((await send(fellow, home.shielded(child, fellow))).delivery).toBe(Delivery.DELIVERED);
    home.rules.set(child.id, { how: 'turned_away' });
    expect(await failure(send(home.newPerson('Eve'), child.address))).toBe(turnedAway);
  });
});
