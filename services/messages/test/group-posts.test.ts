import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseId, printId } from '@hearth/ids';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import type { FakeGroup } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startMessages } from './start-messages.ts';

const home = await startMessages({}, '2026-03-01T12:34:56.789Z');
afterAll(() => home.stop());

const newGroup = (handle: string, members: Caller[]) =>
  home.newGroup(members, { handle, name: handle, app: home.ids.uuid() });
const newRobin = (owner: Caller) =>
  home.newAi(`Robin of ${owner.name}`, { owner, address: `${owner.address}.ai-robin` });
const idOf = ({ facts }: FakeGroup) => printId('grp', facts.id);
const post = (caller: Caller, group: FakeGroup, text: string, more: object = {}) =>
  home.by(caller).postGroup({ id: idOf(group), text, ...more });
const list = (caller: Caller, group: FakeGroup, more: object = {}) =>
  home.by(caller).listGroupPosts({ id: idOf(group), ...more });
const textsOf = async (caller: Caller, group: FakeGroup) =>
  (await list(caller, group)).messages.map(({ text }) => text);

async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    const { kind, details } = error as { kind: string; details: { code?: string } };
    return `${kind} ${details?.code}`;
  }
}

describe('posts to a group', () => {
  test('by a member, their AI or the group AI are readable for all of these, newest first', async () => {
    const [ada, bob] = [home.newPerson('Ada Lovelace'), home.newPerson('Bob')];
    const group = newGroup('readers', [ada, bob]);
    const robin = newRobin(ada);
    const groupAi = home.groupAiOf(group);
    const first = await post(ada, group, 'one');
    expect(first).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      group: idOf(group),
      from: ada.address,
      fromName: 'Ada Lovelace',
      byAi: false,
      text: 'one',
      via: Via.WEB,
    });
    expect(timestampDate(first.at!).toISOString()).toBe('2026-03-01T12:34:56.789Z');
    const reply = await post(robin, group, 'two', { replyTo: first.id });
    expect(reply).toMatchObject({ from: robin.address, fromName: robin.name, byAi: true, replyTo: first.id });
    const third = await home.by(groupAi).postGroup({ id: '&readers', text: 'three' });
    expect(third).toMatchObject({ from: groupAi.address, byAi: true });
    for (const caller of [ada, bob, robin, newRobin(bob), groupAi])
      expect(await textsOf(caller, group)).toEqual(['three', 'two', 'one']);
  });

  test('are announced with their author to the apps of the group and the poster, and wake no AI', async () => {
    const holder = '01900000-0000-7000-8000-000000000001';
    const ada = home.newPerson('Ada', { app: holder });
    const group = newGroup('announced', [ada]);
    const { id } = await post(ada, group, 'x');
    const events = await home.events('messages', 'groupPosted');
    const event = events.find(({ data }) => data.value.message === id);
    expect(event).toMatchObject({ topics: [], by: { id: ada.id, person: ada.id } });
    expect(event!.data).toMatchObject({
      case: 'groupPosted',
      value: { message: id, group: { id: group.facts.id }, apps: [group.facts.app, holder] },
    });
  });

  test('are for members only: another group looks like an unknown one', async () => {
    const [ada, eve] = [home.newPerson('Ada'), home.newPerson('Eve')];
    const group = newGroup('closed', [ada]);
    const other = newGroup('other', [eve]);
    await post(ada, group, 'secret');
    for (const caller of [eve, newRobin(eve), home.groupAiOf(other)]) {
      expect(await failure(post(caller, group, 'x'))).toBe('not_found not_found');
      expect(await failure(list(caller, group))).toBe('not_found not_found');
    }
    expect(await failure(home.by(eve).listGroupPosts({ id: '&nowhere' }))).toBe('not_found not_found');
    group.members.delete(ada.id);
    expect(await failure(list(ada, group))).toBe('not_found not_found');
  });

  test('need a caller who acts for a person', async () => {
    const group = newGroup('acting', []);
    const { app } = group.facts;
    const callers = [
      [create(CallerSchema, { kind: CallerKind.AI, id: app }), 'forbidden no_permission'],
      [create(CallerSchema, { kind: CallerKind.APP, id: app, app }), 'bad_request bad_field'],
    ] as const;
    for (const [caller, words] of callers) {
      expect(await failure(post(caller, group, 'x'))).toBe(words);
      expect(await failure(list(caller, group))).toBe(words);
    }
  });

  test('end with the group: an archived group can be read, and takes no more posts', async () => {
    const ada = home.newPerson('Ada');
    const group = newGroup('ended', [ada]);
    await post(ada, group, 'before', { requestId: 'kept' });
    group.facts.archived = true;
    expect(await failure(post(ada, group, 'after'))).toBe('bad_request archived');
    expect(await failure(post(home.groupAiOf(group), group, 'after'))).toBe('bad_request archived');
    expect((await post(ada, group, 'before', { requestId: 'kept' })).text).toBe('before');
    expect(await textsOf(ada, group)).toEqual(['before']);
  });

  test('reply to a post of the same group', async () => {
    const ada = home.newPerson('Ada');
    const [one, other] = [newGroup('one', [ada]), newGroup('two', [ada])];
    const { id } = await post(ada, one, 'x');
    const unknown = 'msg_00000000000070008000000000000000';
    const refused = await Promise.all(
      [id, unknown].map((replyTo) => post(ada, other, 'y', { replyTo }).catch((error) => error.message)),
    );
    expect(refused).toEqual(Array(2).fill('reply_to: must be the id of a post of this group'));
  });
});

describe('a request_id of a post', () => {
  test('posts once, even when sent many times at once, by id or by address', async () => {
    const ada = home.newPerson('Ada');
    const group = newGroup('once', [ada]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        home.by(ada).postGroup({ id: index % 2 === 0 ? idOf(group) : '&once', text: 'x', requestId: 'r' }),
      ),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await textsOf(ada, group)).toEqual(['x']);
    expect(await failure(post(ada, group, 'y', { requestId: 'r' }))).toBe('bad_request request_id_reused');
    const other = newGroup('once-more', [ada]);
    expect(await failure(post(ada, other, 'x', { requestId: 'r' }))).toBe('bad_request request_id_reused');
  });
});

describe('a child’s post', () => {
  const day = '2026-03-01T00:00:00.000Z';

  test('shows the child in full to themselves, their guardian and their app, and shielded to all others', async () => {
    const app = '01900000-0000-7000-8000-000000000002';
    const guardian = home.newPerson('Gus');
    const child = home.newPerson('Ida Lovelace', {
      ageBand: AgeBand.CHILD,
      guardians: [guardian.id],
      app,
    });
    const [bob, cyd] = [home.newPerson('Bob'), home.newPerson('Cyd')];
    const group = newGroup('team', [guardian, child, bob, cyd]);
    const own = await post(child, group, 'hello');
    expect(own).toMatchObject({ from: child.address, fromName: 'Ida Lovelace' });
    const robin = newRobin(child);
    await post(robin, group, 'by an AI');
    const inApp = create(CallerSchema, { ...bob, app });
    for (const caller of [child, guardian, inApp, robin]) {
      const { messages } = await list(caller, group);
      expect(messages.map(({ from, fromName }) => [from, fromName])).toEqual([
        [robin.address, robin.name],
        [child.address, 'Ida Lovelace'],
      ]);
      expect(messages.every(({ at }) => timestampDate(at!).getUTCHours() === 12)).toBe(true);
    }
    const ids = new Set<string>();
    for (const caller of [bob, cyd, home.groupAiOf(group)]) {
      const { messages } = await list(caller, group);
      const [byAi, byChild] = messages;
      expect(byChild).toMatchObject({
        from: expect.stringMatching(/^shp_/),
        fromName: 'Ida L.',
        byAi: false,
      });
      expect(byAi).toMatchObject({ from: byChild!.from, fromName: 'Ida L.', byAi: true });
      expect(messages.map(({ at }) => timestampDate(at!).toISOString())).toEqual([day, day]);
      expect(JSON.stringify(messages, (_, value) => (typeof value === 'bigint' ? 0 : value))).not.toMatch(
        new RegExp(`${child.id.replaceAll('-', '')}|${child.address}|Lovelace`),
      );
      ids.add(byChild!.from);
    }
    expect(ids.size).toBe(3);
    const milliseconds = Number.parseInt(own.id.slice(4, 16), 16);
    expect(new Date(milliseconds).toISOString()).toBe(day);
  });

  test('shows the author in full once they are of age', async () => {
    const child = home.newPerson('Ida Lovelace', { ageBand: AgeBand.TEEN16 });
    const bob = home.newPerson('Bob');
    const group = newGroup('grown', [child, bob]);
    await post(child, group, 'hello');
    expect((await list(bob, group)).messages[0]!.from).toMatch(/^shp_/);
    home.change(child, { ageBand: AgeBand.ADULT });
    expect((await list(bob, group)).messages[0]).toMatchObject({
      from: child.address,
      fromName: 'Ida Lovelace',
    });
  });
});

test('a post can be reported by its readers, and the operator learns its author', async () => {
  const [ada, bob, eve] = [home.newPerson('Ada'), home.newPerson('Bob'), home.newPerson('Eve')];
  const group = newGroup('reported', [ada, bob]);
  const robin = newRobin(ada);
  const seen = async (caller: Caller, { id }: { id: string }) => {
    const { seen, author } = await home.groupPostsForApprovals.findSeenGroupPost(
      { id: parseId('msg', id)! },
      { caller },
    );
    return seen && author;
  };
  const byAda = await post(ada, group, 'by her');
  const byRobin = await post(robin, group, 'by her AI');
  for (const caller of [bob, newRobin(bob), home.groupAiOf(group)]) {
    expect(await seen(caller, byAda)).toBe(printId('per', ada.id));
    expect(await seen(caller, byRobin)).toBe(printId('ai', robin.id));
  }
  for (const caller of [eve, newRobin(eve), home.newAi('Wren')])
    expect(await seen(caller, byAda)).toBe(false);
  expect(await seen(bob, { id: printId('msg', home.ids.uuid()) })).toBe(false);
});

test('posts of a deleted account do not show whose it was', async () => {
  const [ada, bob] = [home.newPerson('Ada'), home.newPerson('Bob')];
  const group = newGroup('leaving', [ada, bob]);
  await post(ada, group, 'by her');
  await post(newRobin(ada), group, 'by her AI');
  home.change(ada, null);
  const { messages } = await list(bob, group);
  expect(messages.map(({ from, fromName }) => [from, fromName])).toEqual(
    Array(2).fill(['@deleted', 'A deleted account']),
  );
});

describe('pages of posts', () => {
  test('continue without gaps or repeats while others post', async () => {
    const ada = home.newPerson('Ada');
    const group = newGroup('busy', [ada]);
    await Promise.all(Array.from({ length: 25 }, (_, index) => post(ada, group, `${index}`)));
    const before = (await list(ada, group, { limit: 50 })).messages.map(({ text }) => text);
    expect(new Set(before).size).toBe(25);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(ada, group, { limit: 4, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.messages.map(({ text }) => text));
      cursor = page.nextCursor;
      await post(ada, group, 'new');
    } while (cursor !== undefined);
    expect(seen).toEqual(before);
  });

  test.each(['x', Buffer.from('a3').toString('base64url'), ''])('refuse the cursor %j', async (cursor) => {
    const ada = home.newPerson('Ada');
    const group = newGroup(`c${cursor.length}`, [ada]);
    expect(await failure(list(ada, group, { cursor }))).toBe('bad_request bad_field');
  });
});
