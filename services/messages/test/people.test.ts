import { create } from '@bufbuild/protobuf';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Box, Delivery, SenderStatus } from '@hearth/proto/messages/v1/messages';
import { CallerKind } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { failure, startMessages, turnedAway } from './start-messages.ts';

const home = await startMessages();
afterAll(() => home.stop());

const { send } = home;
const { received } = home;

describe('a message to a person', () => {
  test('from a stranger waits in the requests until the person answers', async () => {
    const [ann, bob] = [home.newPerson('Ann Alder'), home.newPerson('Bob Birch')];
    const sent = await send(ann, bob.address);
    expect(sent).toMatchObject({
      delivery: Delivery.REQUESTED,
      from: ann.address,
      fromName: 'Ann Alder',
      fromStatus: SenderStatus.PERSON,
      nameVerified: true,
      to: bob.address,
      box: Box.SENT,
    });
    expect(await received(bob, { box: Box.INBOX })).toEqual([]);
    const [request] = await received(bob, { box: Box.REQUESTS });
    expect(request).toMatchObject({ id: sent.id, box: Box.REQUESTS, from: ann.address });
    const threadOf = async (caller: Caller) =>
      (await home.by(caller).listThreads({})).threads.map(({ id, box }) => [id, box]);
    expect(await threadOf(bob)).toEqual([[sent.thread, Box.REQUESTS]]);
    expect(await threadOf(ann)).toEqual([[sent.thread, Box.INBOX]]);

    const answer = await home.by(bob).replyMessage({ id: sent.id, text: 'yes?' });
    expect(answer).toMatchObject({ delivery: Delivery.DELIVERED, to: ann.address });
    expect(await threadOf(bob)).toEqual([[sent.thread, Box.INBOX]]);
    expect((await send(ann, bob.address, 'again')).delivery).toBe(Delivery.DELIVERED);
    const [first] = await home.events('messages', 'messageSent');
    expect(first!.data.value).toMatchObject({ box: 'requests' });
  });

  test('from a member of a shared group, or one of their AIs, is in the inbox', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    home.newGroup([ann, bob]);
    const anns = home.newAi('helper', { owner: ann });
    expect((await send(ann, bob.address)).delivery).toBe(Delivery.DELIVERED);
    expect((await send(anns, bob.address)).delivery).toBe(Delivery.DELIVERED);
    expect((await send(bob, anns.address)).delivery).toBe(Delivery.DELIVERED);
  });

  test('announces the shared groups, unless that would reveal whose AI it is', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const group = home.newGroup([ann, bob]).facts.id;
    home.newGroup([ann]);
    const anns = home.newAi('helper', { owner: ann });
    const hidden = home.move(home.newAi('quiet', { owner: ann }), '@free-777777.ai-quiet');
    const bobs = home.newAi('helper', { owner: bob });
    const run = home.newAi('assistant', { group });
    const sent: string[] = [];
    for (const sender of [ann, anns, hidden, bob]) sent.push((await send(sender, bobs.address)).id);
    sent.push((await send(bobs, run.address)).id);
    const events = await home.events('messages', 'messageSent');
    const groups = new Map(events.map(({ data: { value } }) => [value.messageId, value.groups]));
    expect(sent.map((id) => groups.get(id))).toEqual([[group], [group], [], [], [group]]);
  });

  test('passes between a person and their own AI without a reach check', async () => {
    const ann = home.newPerson('Ann');
    const own = home.newAi('helper', { owner: ann });
    const before = home.asked();
    expect((await send(own, ann.address)).delivery).toBe(Delivery.DELIVERED);
    expect((await send(ann, own.address)).delivery).toBe(Delivery.DELIVERED);
    expect(home.asked()).toBe(before);
  });

  test('from an AI without an owner waits quietly, and an AI without an owner accepts all without a reach check', async () => {
    const [robin, wren] = [home.newAi('robin'), home.newAi('wren')];
    const ann = home.newPerson('Ann');
    const before = home.asked();
    expect((await send(robin, ann.address)).delivery).toBe(Delivery.REQUESTED);
    expect((await send(robin, wren.address)).delivery).toBe(Delivery.DELIVERED);
    expect((await send(ann, wren.address)).delivery).toBe(Delivery.DELIVERED);
    expect(home.asked()).toBe(before);
    const [first] = await received(wren);
    expect(first).toMatchObject({ from: ann.address, fromStatus: SenderStatus.PERSON });
  });

  test('starts a thread that names its other side before any answer', async () => {
    const ann = home.newPerson('Ann');
    const [bob, robin] = [home.newPerson('Bob Berg'), home.newAi('robin')];
    for (const [other, withName, nameVerified] of [
      [bob, 'Bob Berg', true],
      [robin, robin.name, false],
    ] as const) {
      const { thread } = await send(ann, other.address);
      const named = { with: other.address, withName, nameVerified };
      expect((await home.by(ann).getThread({ id: thread })).thread).toMatchObject(named);
      expect((await home.by(ann).listThreads({})).threads[0]).toMatchObject(named);
    }
  });

  test('is refused from an app that acts for nobody', async () => {
    const app = create(CallerSchema, { kind: CallerKind.APP, id: crypto.randomUUID(), app: 'x' });
    const ann = home.newPerson('Ann');
    for (const call of [
      send(app, ann.address),
      home.by(app).listMessages({}),
      home.by(app).listThreads({}),
      home.by(app).markRead({ ids: [`msg_${'0'.repeat(32)}`] }),
    ]) {
      expect(await failure(call)).toMatch(/^bad_field: .*Svc-Acting-For/);
    }
  });
});

describe('the AI of a group', () => {
  test('accepts messages of members, and is not found by others', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const groupAi = home.newAi('group', { group: home.newGroup([ann]).facts.id });
    expect((await send(ann, groupAi.address)).delivery).toBe(Delivery.DELIVERED);
    expect((await send(home.newAi('helper', { owner: ann }), groupAi.address)).delivery).toBe(
      Delivery.DELIVERED,
    );
    expect(await failure(send(bob, groupAi.address))).toMatch(/^not_found/);
    expect(await failure(send(home.newAi('robin'), groupAi.address))).toMatch(/^not_found/);
  });
});

describe('a person under 18', () => {
  const newFamily = () => {
    const { parent, child } = home.newFamily({ app: 'app' });
    home.rules.delete(child.id);
    const fellow = home.newPerson('Fay Fellow');
    home.newGroup([child, fellow]);
    return { parent, child, fellow, stranger: home.newPerson('Sam Stranger') };
  };

  test('refuses strangers, and addresses that the sender may not know, in the same words', async () => {
    const { child, fellow, stranger } = newFamily();
    const childsAi = home.newAi('tutor', { owner: child });
    expect(await failure(send(stranger, child.address))).toBe(turnedAway);
    expect(await failure(send(fellow, child.address))).toBe(turnedAway);
    expect(await failure(send(stranger, home.shielded(child, stranger)))).toBe(turnedAway);
    expect(await failure(send(home.newAi('robin'), child.address))).toBe(turnedAway);
    expect(await failure(send(stranger, childsAi.address))).toBe(turnedAway);
    expect(await failure(send(fellow, childsAi.address))).toBe(turnedAway);
    expect(await failure(send(stranger, home.shielded(child, fellow)))).toMatch(/^not_found|^turned_away/);
    expect(await received(child)).toEqual([]);
  });

  test('writes with group members under a shielded id without a name or handle, in both directions', async () => {
    const { child, fellow, parent } = newFamily();
    const shielded = home.shielded(child, fellow);
    const sent = await send(fellow, shielded, 'hi Tim');
    expect(sent).toMatchObject({ delivery: Delivery.DELIVERED, to: shielded });
    const [atChild] = await received(child);
    expect(atChild).toMatchObject({ to: child.address, from: fellow.address, text: 'hi Tim' });

    const answer = await home.by(child).replyMessage({ id: sent.id, text: 'hello Fay' });
    expect(answer).toMatchObject({ from: child.address, fromName: 'Tim Little Berg', to: fellow.address });
    const [atFellow] = await received(fellow);
    expect(atFellow).toMatchObject({ from: shielded, fromName: 'Tim B.', fromStatus: SenderStatus.PERSON });
    expect(await received(fellow, { from: shielded })).toHaveLength(1);
    expect(await received(fellow, { from: child.address })).toEqual([]);
    const thread = await home.by(fellow).getThread({ id: sent.thread });
    expect(thread.thread).toMatchObject({ with: shielded, withName: 'Tim B.' });
    const [listed] = (await home.by(fellow).listThreads({})).threads;
    expect(listed).toMatchObject({ with: shielded, withName: 'Tim B.' });
    const shown = JSON.stringify([atFellow, thread, listed, sent], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(shown).not.toContain(child.address.slice(1));
    expect(shown).not.toContain('Little');
    expect(shown).not.toContain(child.id.replaceAll('-', ''));
    // Through an app, the same fellow knows the child by another id.
    const throughApp = create(CallerSchema, { ...fellow, app: 'calendar' });
    const [again] = await received(throughApp);
    expect(again!.from).toBe(home.shielded(child, throughApp));
    expect(again!.from).not.toBe(shielded);

    // The thread continues; a reply that names another side is refused without revealing whose thread it is.
    await home.by(fellow).sendMessage({ thread: sent.thread, text: 'more' });
    const wrong = await failure(
      home.by(fellow).sendMessage({ thread: sent.thread, to: parent.address, text: 'x' }),
    );
    expect(wrong).toBe('bad_field: to: is not the other side of that thread');
  });

  test('writes with guardians under their own name', async () => {
    const { child, parent } = newFamily();
    const sent = await send(parent, child.address);
    expect(sent).toMatchObject({ to: child.address, delivery: Delivery.DELIVERED });
    await home.by(child).replyMessage({ id: sent.id, text: 'yes' });
    const [answer] = await received(parent);
    expect(answer).toMatchObject({ from: child.address, fromName: 'Tim Little Berg' });
    expect(await received(parent, { from: child.address })).toHaveLength(1);
    // By handle or by thread, it is the same side.
    await home.by(parent).sendMessage({ thread: sent.thread, to: child.address, text: 'x' });
  });

  test('can write to nobody else, and their AI only to the child and the guardian', async () => {
    const { child, fellow, parent, stranger } = newFamily();
    const childsAi = home.newAi('tutor', { owner: child });
    expect(await failure(send(child, stranger.address))).toMatch(/^no_permission/);
    expect(await failure(send(child, home.newAi('robin').address))).toMatch(/^no_permission/);
    expect(await failure(send(childsAi, fellow.address))).toMatch(/^no_permission/);
    expect(await failure(send(childsAi, parent.address))).toBe('none');
    expect(await failure(send(childsAi, child.address))).toBe('none');
    expect(await failure(send(child, childsAi.address))).toBe('none');
    expect(await failure(send(parent, childsAi.address))).toBe('none');
    const holder = create(CallerSchema, { ...parent, app: 'app' });
    expect(await failure(send(holder, child.address))).toBe('none');
  });

  test('sees a child of the same group shielded, and is seen shielded', async () => {
    const [tim, tom] = [
      home.newPerson('Tim Berg', { ageBand: AgeBand.TEEN13 }),
      home.newPerson('Tom Stone', { ageBand: AgeBand.TEEN16 }),
    ];
    home.newGroup([tim, tom]);
    const sent = await send(tom, home.shielded(tim, tom));
    expect(sent.to).toBe(home.shielded(tim, tom));
    const [atTim] = await received(tim);
    expect(atTim).toMatchObject({ from: home.shielded(tom, tim), fromName: 'Tom S.' });
  });

  test('refuses a person who left the group, in the existing thread too', async () => {
    const child = home.newPerson('Tim Berg', { ageBand: AgeBand.TEEN13 });
    const fellow = home.newPerson('Fay');
    const group = home.newGroup([child, fellow]);
    const sent = await send(fellow, home.shielded(child, fellow));
    await home.by(child).replyMessage({ id: sent.id, text: 'yes' });
    group.members.delete(fellow.id);
    const more = home.by(fellow).sendMessage({ thread: sent.thread, text: 'more' });
    expect(await failure(more)).toBe(turnedAway);
    expect(await failure(home.by(child).replyMessage({ id: sent.id, text: 'x' }))).toMatch(/^no_permission/);
  });

  test('gets the same answer for a repeated request_id', async () => {
    const { child, fellow } = newFamily();
    const shielded = home.shielded(child, fellow);
    const first = await send(fellow, shielded, 'once', { requestId: 'r1' });
    const second = await send(fellow, shielded, 'once', { requestId: 'r1' });
    expect(second).toEqual(first);
    expect(await received(child)).toHaveLength(1);
  });
});

describe('a thread with an AI whose address changed', () => {
  test('continues by reply and by thread, while the old address is not found', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const ai = home.newAi('robin', { owner: ann });
    const sent = await send(ai, bob.address);
    const moved = home.move(ai, '@free-abc123.ai-robin');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await failure(send(bob, ai.address))).toMatch(/^not_found/);
    const stored = await send(bob, ai.address, 'as it was called', { thread: sent.thread });
    expect(stored).toMatchObject({ thread: sent.thread, to: moved.address });
    const reply = await home.by(bob).replyMessage({ id: sent.id, text: 'got it' });
    expect(reply).toMatchObject({ thread: sent.thread, to: moved.address });
    const on = await home.by(bob).sendMessage({ thread: sent.thread, text: 'and more' });
    expect(on).toMatchObject({ thread: sent.thread, to: moved.address });
    await send(bob, moved.address, 'as it is called', { thread: sent.thread });
    expect(await failure(send(bob, ann.address, 'x', { thread: sent.thread }))).toMatch(/^bad_field/);
    const texts = (await received(moved)).map(({ text }) => text);
    expect(texts.sort()).toEqual(['and more', 'as it is called', 'as it was called', 'got it']);
  });
});
