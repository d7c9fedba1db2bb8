import { sql } from '@hearth/db';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { Box } from '@hearth/proto/messages/v1/messages';
import { afterAll, expect, test } from '@jest/globals';
import { startMessages } from './start-messages.ts';

const home = await startMessages();
afterAll(() => home.stop());

const send = (from: Caller, to: Caller) => home.send(from, to.address);
const contactsOf = async (owner: Caller) => (await home.client.listContacts({ owner: owner.id })).contacts;

test('contacts are listed newest first, without strangers who got no answer', async () => {
  const [child, friend, stranger, written] = ['child', 'friend', 'stranger', 'written'].map((name) =>
    home.newAi(name),
  ) as [Caller, Caller, Caller, Caller];
  await send(friend, child);
  await send(child, friend);
  home.clock.advance(1_000);
  await send(child, written);
  home.clock.advance(1_000);
  await send(stranger, child);
  await home.run(
    sql`update messages.threads set box = ${Box.REQUESTS} where owner = ${child.id} and other = ${stranger.id}`,
  );
  expect((await contactsOf(child)).map(({ id, address, name }) => [id, address, name])).toEqual([
    [written.id, written.address, ''],
    [friend.id, friend.address, 'friend'],
  ]);

  home.clock.advance(1_000);
  await send(child, stranger);
  const [newest] = await contactsOf(child);
  expect(newest).toMatchObject({ id: stranger.id, name: 'stranger' });
  expect(Number(newest!.lastAt!.seconds) * 1000).toBe(home.clock.now());
});

test('an owner without messages has no contacts, and only the gateway may ask', async () => {
  expect(await contactsOf(home.newAi('alone'))).toEqual([]);
  await expect(home.asIdentity.listContacts({ owner: home.newAi('x').id })).rejects.toThrow();
});
