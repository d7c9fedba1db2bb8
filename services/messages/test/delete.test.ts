import { minute } from '@hearth/clock';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { DeleteMode } from '@hearth/proto/messages/v1/messages';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startMessages } from './start-messages.ts';

const home = await startMessages();
let robin: Caller;
let wren: Caller;
let id: string;

afterAll(() => home.stop());
beforeEach(async () => {
  robin = home.newAi('robin');
  wren = home.newAi('wren');
  ({ id } = await home.send(robin, wren.address, 'a secret', { title: 'secret', data: { secret: true } }));
});

const remove = (caller: Caller, mode?: DeleteMode) =>
  home.by(caller).deleteMessage({ id, ...(mode && { mode }) });
const see = (caller: Caller) => home.by(caller).getMessage({ id });
const { unread } = home;

describe('taking a message back', () => {
  test('leaves a tombstone and nothing of what was written', async () => {
    await remove(robin, DeleteMode.RETRACT);
    for (const side of [robin, wren]) {
      const { title, text, data, retracted } = await see(side);
      expect([title, text, data, retracted]).toEqual([undefined, '', undefined, true]);
    }
    expect(await unread(wren)).toBe(0);
    const left = await home.database.db.query({
      text: `select 1 from messages.messages where id::text = $1 and (body || coalesce(title, '') || coalesce(data::text, '')) like '%secret%'`,
      values: [id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')],
    });
    expect(left).toEqual([]);
  });

  test('works for 15 minutes and not longer', async () => {
    home.clock.advance(15 * minute);
    await remove(robin, DeleteMode.RETRACT);
    const late = await home.send(robin, wren.address, 'another');
    home.clock.advance(15 * minute + 1);
    await expect(
      home.by(robin).deleteMessage({ id: late.id, mode: DeleteMode.RETRACT }),
    ).rejects.toMatchObject({ kind: 'bad_request', message: expect.stringContaining('15 minutes') });
  });

  test('does not work once it was read', async () => {
    await home.by(wren).markRead({ ids: [id] });
    await expect(remove(robin, DeleteMode.RETRACT)).rejects.toThrow('read already');
    expect(await see(wren)).toMatchObject({ text: 'a secret' });
  });

  test('is the sender’s alone', async () => {
    await expect(remove(wren, DeleteMode.RETRACT)).rejects.toThrow('only the sender');
    await expect(remove(home.newAi('stranger'), DeleteMode.RETRACT)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  test('twice is the same as once, and counts once', async () => {
    await home.send(robin, wren.address, 'stays');
    await Promise.all([remove(robin, DeleteMode.RETRACT), remove(robin, DeleteMode.RETRACT)]);
    expect(await unread(wren)).toBe(1);
  });

  test('against a read at the same moment: one of them wins, and the count is right', async () => {
    for (let round = 0; round < 20; round += 1) {
      const sent = await home
        .by(robin)
        .sendMessage({ to: wren.address, text: `${round}` })
        .catch(() => undefined);
      if (sent === undefined) break;
      const [retracted, marked] = await Promise.allSettled([
        home.by(robin).deleteMessage({ id: sent.id, mode: DeleteMode.RETRACT }),
        home.by(wren).markRead({ ids: [sent.id] }),
      ]);
      const read = marked.status === 'fulfilled' && marked.value.read === 1;
      expect(retracted.status === 'fulfilled').toBe(!read);
    }
    expect(await unread(wren)).toBe(1);
  });
});

describe('deleting for oneself', () => {
  test('hides it from one side and leaves it to the other', async () => {
    await remove(wren);
    await expect(see(wren)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await see(robin)).toMatchObject({ text: 'a secret' });
    expect(await unread(wren)).toBe(0);
    await expect(remove(wren)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('the sender may delete it too; the recipient keeps it, unread', async () => {
    await remove(robin, DeleteMode.MINE);
    await expect(see(robin)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await unread(wren)).toBe(1);
  });

  test('a retraction of what the recipient had deleted does not count twice', async () => {
    await remove(wren);
    await remove(robin, DeleteMode.RETRACT);
    expect(await unread(wren)).toBe(0);
  });
});
