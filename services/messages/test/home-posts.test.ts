import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { GroupFactsSchema } from '@hearth/proto/groups/v1/groups';
import type { Caller } from '@hearth/rpc';
import { failure, receive, twoHomes } from '@hearth/testkit';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { startMessages } from './start-messages.ts';

const [{ name: other }, { env, name }] = twoHomes as [{ name: string }, (typeof twoHomes)[number]];
const home = await startMessages(env, '2026-03-01T12:00:00.000Z');
afterAll(() => home.stop());

let ben: Caller;
let cleo: Caller;
let groups = 0;
let posts = 0;
beforeEach(() => {
  ben = home.newPerson('Ben');
  cleo = home.newPerson('Cleo');
});

/** A group of the other home with these members. */
function newGroup(...members: Caller[]): string {
  groups += 1;
  const reference = `r:${other}:grp_${String(groups).padStart(32, '0')}`;
  const facts = create(GroupFactsSchema, { id: reference, handle: `club@${other}`, name: 'Club' });
  const known = { facts, organizers: new Set<string>(), members: new Set(members.map(({ id }) => id)) };
  home.world.groupsById.set(reference, known);
  return reference;
}

function say(group: string, text: string, more: object = {}) {
  posts += 1;
  const id = `r:${other}:msg_${String(posts).padStart(32, '0')}`;
  const object = { id, group, from: `ada@${other}`, from_name: 'Ada', text, at: '2026-03-01T11:00:00Z' };
  return receive(
    { fromFederation: home.asFederation },
    create(HomeItemSchema, {
      ...{ type: HomeItemType.STATE, id, rev: 1n, home: other, to: [ben.address] },
      bodyJson: JSON.stringify({ kind: 'post', object: { ...object, final: true, ...more } }),
    }),
  );
}

const textsOf = async (who: Caller, group: string) =>
  (await home.by(who).listGroupPosts({ id: group })).messages.map(({ text }) => text);

test('all local members see the posts of their group, and of no other group', async () => {
  const [club, choir] = [newGroup(ben, cleo), newGroup(ben)];
  expect(await say(club, 'To the club')).toMatchObject({ code: '' });
  await say(choir, 'To the choir');
  expect(await textsOf(ben, club)).toEqual(['To the club']);
  expect(await textsOf(cleo, club)).toEqual(['To the club']);
  expect(await textsOf(ben, choir)).toEqual(['To the choir']);
  expect(await failure(textsOf(cleo, choir))).toBe('not_found not_found');
});

test('a post may be as long as the group’s home allows, so that remote members miss none', async () => {
  const group = newGroup(ben);
  const long = 'x'.repeat(5_000);
  expect(await say(group, long)).toMatchObject({ code: '' });
  expect(await textsOf(ben, group)).toEqual([long]);
});

test('another home cannot post for a person of this home', async () => {
  const group = newGroup(ben);
  const from = `${ben.address.slice(1)}@${name}`;
  expect(await say(group, 'I resign', { from, from_name: 'Ben' })).toMatchObject({ code: 'schema' });
  // Their own post comes back as written.
  const posting = home.by(ben).postGroup({ id: group, text: 'I stay' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await say(group, 'I go', { from, from_name: 'Ben' })).toMatchObject({ code: 'schema' });
  expect(await say(group, 'I stay', { from, from_name: 'Ben' })).toMatchObject({ code: '' });
  expect((await posting).pending).toBe(true);
  expect(await textsOf(ben, group)).toEqual(['I stay']);
});

test('one act makes one post, under its author’s local name', async () => {
  const group = newGroup(ben);
  const from = `${ben.address.slice(1)}@${name}`;
  const posting = home.by(ben).postGroup({ id: group, text: 'Once' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await say(group, 'Once', { from, by_ai: true })).toMatchObject({ code: 'schema' });
  expect(await say(group, 'Once', { from, from_name: 'Benedict' })).toMatchObject({ code: '' });
  expect(await say(group, 'Once', { from })).toMatchObject({ code: 'schema' });
  const { messages } = await home.by(ben).listGroupPosts({ id: group });
  expect(messages.map(({ fromName, text }) => [fromName, text])).toEqual([['Ben', 'Once']]);
  await posting;
});

test('a post cannot be dated ahead', async () => {
  const group = newGroup(ben);
  await say(group, 'For good on top', { at: '2099-01-01T00:00:00Z' });
  const { messages } = await home.by(ben).listGroupPosts({ id: group });
  expect(timestampDate(messages[0]!.at!).toISOString()).toBe('2026-03-01T12:05:00.000Z');
  home.clock.advance(6 * 60_000);
  await say(group, 'Later', { at: '2026-03-01T12:06:00Z' });
  expect(await textsOf(ben, group)).toEqual(['Later', 'For good on top']);
});

test('a post in a remote or unknown group is refused', async () => {
  expect(await say(`r:${name}:grp_1`, 'Here')).toMatchObject({ code: 'schema' });
  expect(await say(`r:${other}:grp_${'f'.repeat(32)}`, 'Where?')).toMatchObject({ code: 'no_such_address' });
  expect(await say(newGroup(ben), 'Two lines', { from_name: 'Ada\nYour home' })).toMatchObject({
    code: 'schema',
  });
});
