import { type ApiClient, apiClient, type Reply } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, newAi, urls } from '../../support/home.ts';
import { notFoundBody } from '../../support/refusals.ts';
import { makeWorld, type World } from './cast.ts';

/**
 * What each caller meets at each thing. A: let through (done, or refused for what was asked and not for who asked).
 * N: not found, in the very words of what does not exist. F: forbidden, since they may see it. X: either denial.
 */
type Verdict = 'A' | 'N' | 'F';

type ViewerName = 'ada' | 'adasAi' | 'fellow' | 'stranger' | 'child' | 'ownerless' | 'app' | 'otherApp';

interface Row {
  operation: string;
  /** What is done to a thing; harmless where it is allowed. */
  act(client: ApiClient, id: string): Promise<Reply>;
  targets: readonly string[];
  /** One letter for each target. */
  expected: Partial<Record<ViewerName, string>>;
}

let world: World;
let clients: Record<ViewerName, ApiClient>;
let things: Record<string, string>;

beforeAll(async () => {
  world = await makeWorld();
  const { ada, fellow, stranger, child, app, otherApp, adasAi } = world;
  clients = {
    ada,
    adasAi: apiClient(urls(), adasAi.key),
    fellow,
    stranger,
    child,
    ownerless: await newAi(),
    app,
    otherApp,
  };
  const note = async (client: ApiClient) =>
    expectStatus(await client.put('/v0/notes/new', { text: 'likes tea' }), 200, 201).body.id as string;
  const invite = async (client: ApiClient, group: string) =>
    expectStatus(await client.post(`/v0/groups/${group}/invites`), 201).body.id as string;
  const [robin, wren] = [await newAi(), await newAi()];
  const message = async (to: string) =>
    expectStatus(await robin.post('/v0/messages', { to, text: 'hello' }), 201).body;
  const [adas, other] = [await message(adasAi.address), await message(wren.address)];
  things = {
    ada: ada.id,
    fellow: fellow.id,
    stranger: stranger.id,
    child: child.id,
    adasAi: adasAi.id,
    fellowsAi: world.fellowsAi.id,
    strangersAi: world.strangersAi.id,
    group: world.group.id,
    strangersGroup: world.strangersGroup.id,
    adasNote: await note(ada),
    fellowsNote: await note(fellow),
    strangersNote: await note(stranger),
    adasInvite: await invite(ada, world.group.id),
    strangersInvite: await invite(stranger, world.strangersGroup.id),
    message: adas.id,
    othersMessage: other.id,
    thread: adas.thread,
    othersThread: other.thread,
    noPerson: `per_${'0'.repeat(32)}`,
    noAi: `ai_${'0'.repeat(32)}`,
    noGroup: `grp_${'0'.repeat(32)}`,
    noNote: `nte_${'0'.repeat(32)}`,
    noInvite: `inv_${'0'.repeat(32)}`,
    noMessage: `msg_${'0'.repeat(32)}`,
    noThread: `thr_${'0'.repeat(32)}`,
  };
}, 90_000);

const people = ['ada', 'fellow', 'stranger', 'child', 'noPerson'] as const;
const ais = ['adasAi', 'fellowsAi', 'strangersAi', 'noAi'] as const;
const groups = ['group', 'strangersGroup', 'noGroup'] as const;
const notes = ['adasNote', 'fellowsNote', 'strangersNote', 'noNote'] as const;
const invites = ['adasInvite', 'strangersInvite', 'noInvite'] as const;

/** Those in the group see it; the others do not know that it is there. */
const membersOnly = {
  ada: 'ANN',
  adasAi: 'ANN',
  fellow: 'ANN',
  child: 'ANN',
  stranger: 'NAN',
  ownerless: 'XXX',
};

/** Those in the group see it, and only its organizer may. */
const organizersOnly = {
  ada: 'ANN',
  adasAi: 'ANN',
  fellow: 'FNN',
  child: 'FNN',
  stranger: 'NAN',
  ownerless: 'XXX',
};

const rows: readonly Row[] = [
  {
    operation: 'get_person',
    act: (client, id) => client.get(`/v0/people/${id}`),
    targets: people,
    expected: {
      ada: 'AANAN',
      adasAi: 'AANAN',
      // The child stands before them under another id.
      fellow: 'AANAN',
      stranger: 'NNANN',
      child: 'AANAN',
      ownerless: 'XXXXX',
      app: 'AANAN',
      otherApp: 'NNANN',
    },
  },
  {
    operation: 'update_person',
    act: (client, id) => client.patch(`/v0/people/${id}`, { time_zone: 'UTC' }),
    targets: people,
    expected: {
      ada: 'AFNAN',
      fellow: 'FANFN',
      stranger: 'NNANN',
      child: 'FFNAN',
      app: 'AANAN',
      otherApp: 'NNANN',
    },
  },
  {
    operation: 'delete_account',
    // Nobody has this handle: who may delete is told so.
    act: (client, id) => client.delete(`/v0/people/${id}?confirm=not-the-handle`),
    targets: people,
    expected: { ada: 'AFNAN', fellow: 'FANFN', stranger: 'NNANN', child: 'FFNXN', otherApp: 'NNANN' },
  },
  {
    operation: 'guardian_view',
    act: (client, id) => client.get(`/v0/people/${id}/contacts`),
    targets: ['child', 'noPerson'],
    expected: { ada: 'AN', fellow: 'XN', stranger: 'NN', child: 'XN', otherApp: 'NN' },
  },
  {
    operation: 'end_guardian',
    act: (client, id) => client.delete(`/v0/people/${id}/guardian`),
    targets: ['child', 'noPerson'],
    expected: { ada: 'AN', fellow: 'XN', stranger: 'NN', otherApp: 'NN' },
  },
  {
    operation: 'set_guardian',
    act: (client, id) => client.put(`/v0/people/${id}/guardian`, { guardian: things.noPerson }),
    targets: ['child'],
    expected: { ada: 'A', fellow: 'X', stranger: 'N', child: 'X', otherApp: 'N', app: 'A' },
  },
  {
    operation: 'get_ai',
    act: (client, id) => client.get(`/v0/ais/${id}`),
    targets: ais,
    expected: {
      ada: 'AAAN',
      adasAi: 'AAAN',
      fellow: 'AAAN',
      stranger: 'AAAN',
      ownerless: 'AAAN',
      app: 'AAAN',
      otherApp: 'AAAN',
    },
  },
  {
    operation: 'update_ai',
    act: (client, id) => client.patch(`/v0/ais/${id}`, { owner_private: false }),
    targets: ais,
    expected: { ada: 'ANNN', fellow: 'NANN', stranger: 'NNAN', child: 'NNNN', app: 'AANN', otherApp: 'NNAN' },
  },
  {
    operation: 'rotate_ai_key',
    act: (client, id) => client.post(`/v0/ais/${id}/keys`, { keep_old_minutes: 60 }),
    targets: ais,
    expected: { ada: 'ANNN', ownerless: 'NNNN', stranger: 'NNAN', child: 'NNNN', otherApp: 'NNAN' },
  },
  {
    operation: 'revoke_ai',
    act: (client, id) => client.delete(`/v0/ais/${id}`),
    targets: ais,
    expected: { child: 'NNNN', ownerless: 'NNNN' },
  },
  ...(
    [
      ['get_group', (client, id) => client.get(`/v0/groups/${id}`)],
      ['list_members', (client, id) => client.get(`/v0/groups/${id}/members`)],
      ['check_membership', (client, id) => client.get(`/v0/groups/${id}/members/me`)],
      ['list_group_posts', (client, id) => client.get(`/v0/groups/${id}/messages`)],
    ] as const satisfies readonly (readonly [string, Row['act']])[]
  ).map(([operation, act]) => ({ operation, act, targets: groups, expected: membersOnly })),
  ...(
    [
      ['update_group', (client, id) => client.patch(`/v0/groups/${id}`, { time_zone: 'UTC' })],
      ['list_invites', (client, id) => client.get(`/v0/groups/${id}/invites`)],
      ['create_invite', (client, id) => client.post(`/v0/groups/${id}/invites`, { invitee: 'Someone' })],
      ['set_role', (client, id) => client.put(`/v0/groups/${id}/members/me/role`, { role: 'organizer' })],
    ] as const satisfies readonly (readonly [string, Row['act']])[]
  ).map(([operation, act]) => ({ operation, act, targets: groups, expected: organizersOnly })),
  ...['archive', 'end', 'restore'].map((verb) => ({
    operation: `${verb}_group`,
    act: (client: ApiClient, id: string) => client.post(`/v0/groups/${id}/${verb}`),
    targets: groups,
    // Whoever may is left out: the group is needed.
    expected: { fellow: 'FNN', child: 'FNN', ownerless: 'XXX' },
  })),
  {
    operation: 'remove_member',
    act: (client, id) => client.delete(`/v0/groups/${id}/members/${things.ada}`),
    targets: groups,
    expected: { fellow: 'FNN', child: 'FNN', ownerless: 'XXX' },
  },
  {
    operation: 'delete_note',
    act: (client, id) => client.delete(`/v0/notes/${id}`),
    targets: notes,
    expected: { child: 'NNNN', stranger: 'NNAN', fellow: 'NANN', ada: 'ANNN' },
  },
  {
    operation: 'revoke_invite',
    act: (client, id) => client.delete(`/v0/invites/${id}`),
    targets: invites,
    expected: { fellow: 'XNN', child: 'XNN', ownerless: 'XXX', stranger: 'NAN', ada: 'ANN' },
  },
  {
    operation: 'get_message',
    act: (client, id) => client.get(`/v0/messages/${id}`),
    targets: ['message', 'othersMessage', 'noMessage'],
    expected: { adasAi: 'ANN', fellow: 'NNN', stranger: 'NNN', child: 'NNN', ownerless: 'NNN' },
  },
  {
    operation: 'get_thread',
    act: (client, id) => client.get(`/v0/threads/${id}`),
    targets: ['thread', 'othersThread', 'noThread'],
    expected: { adasAi: 'ANN', fellow: 'NNN', stranger: 'NNN', child: 'NNN', ownerless: 'NNN' },
  },
  {
    operation: 'delete_message',
    act: (client, id) => client.delete(`/v0/messages/${id}`),
    targets: ['message', 'othersMessage', 'noMessage'],
    expected: { fellow: 'NNN', stranger: 'NNN', child: 'NNN', ownerless: 'NNN' },
  },
];

async function verdict(row: Row, viewer: ViewerName, target: string): Promise<Verdict | string> {
  const client = clients[viewer];
  const reply = await row.act(client, things[target]!);
  if (reply.status === 403 || reply.status === 401) return 'F';
  if (reply.status === 404) {
    const same = JSON.stringify(reply.body) === JSON.stringify(await notFoundBody(client));
    return same ? 'N' : `404 in other words: ${JSON.stringify(reply.body)}`;
  }
  return reply.status < 500 ? 'A' : `${reply.status}`;
}

describe('who may do what to whose', () => {
  test.each(rows.map((row) => [row.operation, row] as const))('%s', async (_, row) => {
    const seen: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const [viewer, letters] of Object.entries(row.expected)) {
      for (const [index, target] of row.targets.entries()) {
        const cell = `${viewer} -> ${target}`;
        const letter = letters[index]!;
        const found = await verdict(row, viewer as ViewerName, target);
        wanted[cell] = letter;
        seen[cell] = letter === 'X' && (found === 'N' || found === 'F') ? 'X' : found;
      }
    }
    expect(seen).toEqual(wanted);
  });
});
