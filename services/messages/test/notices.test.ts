import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startMessages } from './start-messages.ts';

const home = await startMessages();
afterAll(() => home.stop());

const send = (from: Caller, to: string, more = {}) =>
  home.by(from).sendMessage({ to, text: 'the text', title: 'The train', ...more });

const { announced } = home;
const notices = async (id: string) =>
  (await announced(id)).map(({ to, notice }) => notice && { ...notice, to });
const none = [undefined];

describe('notices of messages', () => {
  test('tell a person who wrote to their inbox, with the title', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    home.newGroup([ann, bob]);
    const { id } = await send(ann, bob.address);
    expect(await notices(id)).toEqual([
      expect.objectContaining({ to: bob.id, fromName: 'Ann', title: 'The train', about: '', by: ann.id }),
    ]);
    const helper = home.newAi('helper', { owner: bob });
    const own = await send(helper, bob.address, { title: undefined });
    expect(await notices(own.id)).toMatchObject([{ to: bob.id, fromName: 'helper', title: '', by: '' }]);
    expect(JSON.stringify((await announced(id))[0]!.notice)).not.toContain('the text');
  });

  test('are not sent for messages to an AI, in requests, or declined', async () => {
    const [ann, bob] = [home.newPerson('Ann'), home.newPerson('Bob')];
    const helper = home.newAi('helper', { owner: bob });
    home.newGroup([ann, bob]);
    expect(await notices((await send(ann, helper.address)).id)).toEqual(none);
    const eve = home.newPerson('Eve');
    for (const answer of [
      { how: 'requests' },
      { how: 'requests', quiet: true },
      { how: 'front_door', frontDoor: helper.id },
    ]) {
      home.rules.set(bob.id, answer);
      expect(await notices((await send(eve, bob.address)).id)).toEqual(none);
    }
    home.rules.set(bob.id, { how: 'declined' });
    expect(await announced((await send(eve, bob.address)).id)).toEqual([]);
  });

  test('tell the person about a message that the AI at the front door let in, unless they did it themselves', async () => {
    const [eve, bob] = [home.newPerson('Eve'), home.newPerson('Bob')];
    const helper = home.newAi('helper', { owner: bob });
    home.rules.set(bob.id, { how: 'front_door', frontDoor: helper.id });
    for (const caller of [helper, bob]) {
      const { id } = await send(eve, bob.address);
      await home.accept(caller, id);
      const by = caller === bob ? bob.id : '';
      expect((await notices(id)).at(-1)).toMatchObject({
        to: bob.id,
        fromName: 'Eve',
        title: 'The train',
        by,
      });
    }
  });

  test('tell the person who wrote about an acceptance or a no', async () => {
    const [eve, bob] = [home.newPerson('Eve'), home.newPerson('Bob')];
    const evesAi = home.newAi('helper', { owner: eve });
    home.rules.set(bob.id, { how: 'requests' });
    for (const [from, told] of [
      [eve, true],
      [evesAi, false],
    ] as const) {
      const { id } = await send(from, bob.address);
      await home.decline(bob, id);
      const [no] = (await home.by(from).listMessages({})).messages;
      const [notice] = await notices(no!.id);
      if (told) expect(notice).toMatchObject({ to: eve.id, fromName: 'Bob', title: '', about: '' });
      else expect(notice).toBeUndefined();
    }
  });

  test('tell the guardian about a message that waits for a child, but not about a quiet one', async () => {
    const { parent, child } = home.newFamily();
    const { id } = await send(home.newPerson('Eve'), child.address);
    expect(await notices(id)).toMatchObject([{ to: parent.id, fromName: 'Eve', about: child.id }]);
    home.rules.set(child.id, { how: 'requests', guardian: parent.id, quiet: true });
    const stranger = { ...home.newAi('robin'), aiStatus: AiStatus.UNCLAIMED };
    expect(await notices((await send(stranger, child.address)).id)).toEqual(none);
  });

  test('name a sender under 18 by their short name', async () => {
    const { parent, child } = home.newFamily();
    const eve = home.newPerson('Eve');
    const { id } = await send(eve, child.address);
    await home.decline(parent, id);
    const [no] = (await home.by(eve).listMessages({})).messages;
    expect(await notices(no!.id)).toMatchObject([{ to: eve.id, fromName: 'Tim B.' }]);
  });
});
