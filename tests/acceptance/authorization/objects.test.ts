import { type ApiClient, apiClient, type Reply } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, settle } from '../../support/approvals.ts';
import { eventually } from '../../support/eventually.ts';
import { anybody, expectStatus, newAi, urls } from '../../support/home.ts';
import { notFoundBody } from '../../support/refusals.ts';
import { makeWorld, newAiOf, type World } from './cast.ts';

/**
 * What each caller meets at each thing. A: let through (done, or refused for what was asked and not for who asked).
 * N: not found, in the very words of what does not exist. F: forbidden, since they may see it. X: either denial.
 */
type Verdict = 'A' | 'N' | 'F';

type ViewerName =
  | 'ada'
  | 'adasAi'
  | 'fellow'
  | 'stranger'
  | 'child'
  | 'ownerless'
  | 'app'
  | 'otherApp'
  | 'nobody';

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
    nobody: anybody(),
  };
  const note = async (client: ApiClient) =>
    expectStatus(await client.put('/v0/notes/new', { text: 'likes tea' }), 200, 201).body.id as string;
  const invite = async (client: ApiClient, group: string) =>
    expectStatus(await client.post(`/v0/groups/${group}/invites`), 201).body.id as string;
  const [robin, wren] = [await newAi(), await newAi()];
  const message = async (to: string) =>
    expectStatus(await robin.post('/v0/messages', { to, text: 'hello' }), 201).body;
  const [adas, other] = [await message(adasAi.address), await message(wren.address)];
  const asked = await makeAsks(robin, wren);
  const { strangersGroup } = world;
  const changed = await stranger.patch(`/v0/groups/${strangersGroup.id}`, { time_zone: 'Europe/Paris' });
  expectStatus(changed, 200);
  const newestEvent = async (client: ApiClient): Promise<string> => {
    const events = async () => expectStatus(await client.get('/v0/app/events'), 200).body.events;
    return (await eventually(events, (told) => told.length > 0)).at(-1).id;
  };
  things = {
    ...asked,
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
    appsEvent: await newestEvent(app),
    otherAppsEvent: await newestEvent(otherApp),
    noEvent: `evt_${'0'.repeat(32)}`,
    noPerson: `per_${'0'.repeat(32)}`,
    noAi: `ai_${'0'.repeat(32)}`,
    noGroup: `grp_${'0'.repeat(32)}`,
    noNote: `nte_${'0'.repeat(32)}`,
    noInvite: `inv_${'0'.repeat(32)}`,
    noMessage: `msg_${'0'.repeat(32)}`,
    noThread: `thr_${'0'.repeat(32)}`,
    noAsk: `apr_${'0'.repeat(32)}`,
    noRecord: `rec_${'0'.repeat(32)}`,
    noReport: `rpt_${'0'.repeat(32)}`,
    nobodysAddress: '@nobody-has-this-handle',
    nobodysAi: '@nobody-has-this-handle.ai-owl',
  };
}, 90_000);

/** Asks of everybody, answered and not, and what hangs on them. */
async function makeAsks(robin: ApiClient, wren: { address: string }): Promise<Record<string, string>> {
  const { ada, fellow, stranger, child, group, adasAi } = world;
  expectStatus(await ada.patch(`/v0/people/${child.id}`, { ai_share: true }), 200);
  const childsAi = await newAiOf(child, ['read', 'message'], 'Owl');
  const adasAsk = await ask(ada, [fellow.address]);
  const strangersAsk = await ask(stranger, [wren.address]);
  const childsAsk = await ask(fellow, [], { about: child.id, group: group.id });
  const request = await ask(robin, [ada.address]);
  const settled = await settle(fellow, (await ask(ada, [fellow.address])).id, 'approved');
  const childs = await ask(fellow, [], { about: child.id, group: group.id });
  const childsSettled = await settle(ada, childs.id, 'approved');
  const keyOf = (receipt: string | undefined) => new URL(receipt!).searchParams.get('k');
  const record = settled.signed_answer!.id;
  const rules = { rules: { sales: { action: 'ask' } } };
  const proposer = apiClient(urls(), adasAi.key);
  const proposal = expectStatus(await proposer.post('/v0/request-rules/proposal', rules), 201).body;
  const report = { about: stranger.address, reason: 'spam' };
  return {
    adasAsk: adasAsk.id,
    strangersAsk: strangersAsk.id,
    childsAsk: childsAsk.id,
    request: request.id,
    settled: settled.id,
    childsSettled: childsSettled.id,
    record,
    childsRecord: childsSettled.signed_answer!.id,
    recordWithKey: `${record}?k=${keyOf(settled.receipt)}`,
    recordWithOthersKey: `${record}?k=${keyOf(childsSettled.receipt)}`,
    proposal: proposal.proposal?.id ?? proposal.id,
    report: expectStatus(await ada.post('/v0/reports', report), 202).body.id,
    childsAi: childsAi.address,
    childsAddress: child.address,
  };
}

const people = ['ada', 'fellow', 'stranger', 'child', 'noPerson'] as const;
const ais = ['adasAi', 'fellowsAi', 'strangersAi', 'noAi'] as const;
const groups = ['group', 'strangersGroup', 'noGroup'] as const;
const appEvents = ['appsEvent', 'otherAppsEvent', 'noEvent'] as const;
const notes = ['adasNote', 'fellowsNote', 'strangersNote', 'noNote'] as const;
const invites = ['adasInvite', 'strangersInvite', 'noInvite'] as const;
const asks = [
  'adasAsk',
  'strangersAsk',
  'childsAsk',
  'request',
  'settled',
  'childsSettled',
  'noAsk',
] as const;
const records = ['record', 'childsRecord', 'recordWithOthersKey', 'recordWithKey', 'noRecord'] as const;
/** By which somebody under 18, their AI, and nobody is called. */
const hiddenAddresses = ['childsAddress', 'childsAi', 'nobodysAddress', 'nobodysAi'] as const;
const hiddenToAll = { stranger: 'NNNN', ownerless: 'NNNN' };

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
  ...(
    [
      ['get_delivery', (client, id) => client.get(`/v0/app/deliveries/${id}`)],
      // Neither app has an address, which is said to whom the event belongs alone.
      ['replay_delivery', (client, id) => client.post(`/v0/app/deliveries/${id}/replay`)],
    ] as const satisfies readonly (readonly [string, Row['act']])[]
  ).map(([operation, act]) => ({
    operation,
    act,
    targets: appEvents,
    expected: { app: 'ANN', otherApp: 'NAN', ownerless: 'XXX' },
  })),
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
  {
    operation: 'get_approval',
    act: (client, id) => client.get(`/v0/approvals/${id}`),
    targets: asks,
    expected: {
      ada: 'ANAAAAN',
      adasAi: 'ANAAAAN',
      fellow: 'ANANAAN',
      stranger: 'NANNNNN',
      child: 'NNNNNNN',
      ownerless: 'NNNNNNN',
      // What was asked through it.
      app: 'ANANAAN',
      otherApp: 'NANNNNN',
    },
  },
  {
    operation: 'reply_approval',
    // Of another ask than was seen: nobody's answer counts.
    act: (client, id) =>
      client.post(`/v0/approvals/${id}/reply`, {
        decision: 'approved',
        ask_digest: `sha-256:${'A'.repeat(43)}`,
      }),
    targets: asks,
    expected: {
      ada: 'ANAAAAN',
      // For what is about a child a person answers.
      adasAi: 'ANFAAFN',
      fellow: 'ANANAAN',
      stranger: 'NANNNNN',
      child: 'NNNNNNN',
      ownerless: 'NNNNNNN',
    },
  },
  {
    operation: 'cancel_approval',
    act: (client, id) => client.delete(`/v0/approvals/${id}`),
    targets: ['strangersAsk', 'request', 'settled', 'noAsk'],
    expected: { ada: 'NFAN', fellow: 'NNFN', child: 'NNNN', ownerless: 'NNNN', app: 'NNFN' },
  },
  {
    operation: 'remind_approval',
    act: (client, id) => client.post(`/v0/approvals/${id}/remind`),
    targets: ['strangersAsk', 'request', 'settled', 'noAsk'],
    expected: { ada: 'NFAN', fellow: 'NNFN', child: 'NNNN', ownerless: 'NNNN', app: 'NNFN' },
  },
  {
    operation: 'pass_request',
    // Nothing here came to a front door.
    act: (client, id) => client.post(`/v0/approvals/${id}/pass`, { to: 'person' }),
    targets: asks,
    expected: {
      ada: 'FNFFFFN',
      adasAi: 'FNFFFFN',
      fellow: 'FNFNFFN',
      stranger: 'NFNNNNN',
      child: 'NNNNNNN',
      ownerless: 'NNNNNNN',
    },
  },
  {
    operation: 'relabel_request',
    act: (client, id) => client.post(`/v0/requests/${id}/relabel`, { kind: 'other' }),
    targets: ['adasAsk', 'strangersAsk', 'request', 'noAsk', 'message', 'noMessage'],
    expected: { ada: 'FNANAN', stranger: 'NFNNNN', child: 'NNNNNN', ownerless: 'FFFFFF' },
  },
  {
    operation: 'get_record',
    act: (client, id) => client.get(`/v0/records/${id}`),
    targets: records,
    expected: {
      ada: 'AAAAN',
      adasAi: 'AAAAN',
      fellow: 'AAAAN',
      stranger: 'NNNAN',
      child: 'NNNAN',
      ownerless: 'NNNAN',
      app: 'AAAAN',
      otherApp: 'NNNAN',
      nobody: 'NNNAN',
    },
  },
  {
    operation: 'accept_request',
    // An ask takes no note here: who may is told so.
    act: (client, id) => client.post(`/v0/requests/${id}/accept`, { note: 'yes' }),
    targets: ['request', 'adasAsk', 'strangersAsk', 'noAsk', 'noMessage', 'noInvite'],
    expected: {
      ada: 'ANNNNN',
      adasAi: 'ANNNNN',
      fellow: 'NNNNNN',
      stranger: 'NNNNNN',
      child: 'NNNNNN',
      // Without the permission approve.
      ownerless: 'FFFFFF',
    },
  },
  {
    operation: 'decline_request',
    act: (client, id) => client.post(`/v0/requests/${id}/decline`),
    targets: ['request', 'adasAsk', 'othersMessage', 'adasInvite', 'noAsk'],
    expected: { fellow: 'NNNNN', stranger: 'NNNNN', child: 'NNNNN', ownerless: 'FFFFF' },
  },
  {
    operation: 'block',
    act: (client, address) => client.put(`/v0/blocks/${address}`),
    targets: hiddenAddresses,
    expected: hiddenToAll,
  },
  {
    operation: 'unblock',
    // What is not blocked is not blocked, whatever there is.
    act: (client, address) => client.delete(`/v0/blocks/${address}`),
    targets: hiddenAddresses,
    expected: { stranger: 'AAAA', ownerless: 'AAAA', fellow: 'AAAA' },
  },
  {
    operation: 'report',
    act: (client, about) => client.post('/v0/reports', { about, reason: 'spam' }),
    targets: [
      ...hiddenAddresses,
      'adasAsk',
      'childsAsk',
      'noAsk',
      'message',
      'noMessage',
      'child',
      'noPerson',
    ],
    expected: {
      stranger: `${hiddenToAll.stranger}NNNNNNN`,
      ownerless: `${hiddenToAll.ownerless}NNNNNNN`,
      // Held by the app that holds the child.
      fellow: 'AANNAANNNAN',
    },
  },
  {
    operation: 'resolve_report',
    act: (client, id) => client.post(`/v0/admin/reports/${id}/resolve`, { resolution: 'nothing there' }),
    targets: ['report', 'noReport'],
    // Whoever reported too.
    expected: { ada: 'FF', adasAi: 'FF', stranger: 'FF', app: 'FF', nobody: 'FF' },
  },
  {
    operation: 'request_rules',
    act: (client, person) => client.get(`/v0/request-rules?person=${person}`),
    targets: people,
    expected: {
      ada: 'ANNAN',
      adasAi: 'ANNAN',
      fellow: 'NANNN',
      stranger: 'NNANN',
      child: 'NNNAN',
      ownerless: 'FFFFF',
    },
  },
  {
    operation: 'set_request_rules',
    act: (client, person) => client.put('/v0/request-rules', { person, rules: {} }),
    targets: people,
    expected: {
      ada: 'ANNAN',
      adasAi: 'FFFFF',
      fellow: 'NANNN',
      stranger: 'NNANN',
      // Their guardian sets them.
      child: 'NNNFN',
      ownerless: 'FFFFF',
    },
  },
  ...['accept', 'decline'].map((verb) => ({
    operation: `${verb}_request_rules`,
    act: (client: ApiClient, id: string) => client.post(`/v0/request-rules/proposal/${id}/${verb}`),
    targets: ['proposal', 'adasAsk', 'noAsk'],
    // Whoever may is left out: it is answered once.
    expected: { adasAi: 'FFF', fellow: 'NNN', stranger: 'NNN', child: 'FFF', ownerless: 'FFF' },
  })),
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
