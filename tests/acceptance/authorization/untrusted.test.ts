import { type ApiClient, apiClient } from '@hearth/testkit/home';
import { expect, test } from '@jest/globals';
import { newApp, newPerson } from '../../support/apps.ts';
import { eventually } from '../../support/eventually.ts';
import { anonymous, newAi, urls } from '../../support/home.ts';
import { newAiOf, scopes } from './cast.ts';
import { declared } from './declared.ts';
import { createPlanting, marker, operationOf, overRest, rpc, writing } from './planting.ts';

/*
 * Text that others than the home wrote stands under `untrusted` in the result of every tool. A mark is planted in every
 * text that an operation takes, as it is declared; then every tool is called. A new operation that takes text fails here
 * until it is called below; a new field is found by itself.
 */

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Answer = any;

const { by, planted } = createPlanting();
/** Marks outside `untrusted`: the tool, and the end of its result. */
const outside = new Set<string>();
const answered = new Set<string>();
const known = new Set<string>();

/** An AI that calls tools; whatever they answer is looked at. */
function modelOf(client: ApiClient) {
  return async (id: string, given: object): Promise<Answer> => {
    const answer: Answer = await rpc(client, 'tools/call', { name: id, arguments: given });
    const { untrusted, ...own } = answer.structuredContent;
    const text = JSON.stringify(own);
    if (answer.isError === true) throw new Error(`${id} ${JSON.stringify(given)}: ${text}`);
    answered.add(id);
    if (text.includes(marker)) outside.add(`${id}: ${text.slice(Math.max(0, text.indexOf(marker) - 30))}`);
    const ids = /\b(?:per|shp|ai|grp|inv|msg|thr|nte|apr|rec)_[0-9a-f]{32}|[@&][a-z0-9.-]{3,}/g;
    for (const [found] of text.matchAll(ids)) known.add(found);
    return { ...own, untrusted };
  };
}

/** The arguments of a tool that reads: each of the ids and addresses that were shown for what its path names. */
function argumentsOf(path: string): object[] {
  const names = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name!);
  if (path === '/v0/groups/resolve')
    return [...known].filter((id) => id.startsWith('grp_')).map((q) => ({ q }));
  if (names.length === 0 || path.endsWith('/events/wait')) return [{}];
  if (names.includes('person'))
    return [...known].filter((id) => id.startsWith('grp_')).map((id) => ({ id, person: 'me' }));
  const kinds: [part: string, pattern: RegExp][] = [
    ['/cards/', /^[@&]|^shp_/],
    ['/people/', /^(?:per|shp)_/],
    ['/groups/', /^grp_/],
    ['/ais/', /^ai_/],
    ['/threads/', /^thr_/],
    ['/messages/', /^msg_/],
    ['/approvals/', /^apr_/],
    ['/records/', /^rec_/],
  ];
  const [, pattern] = kinds.find(([part]) => path.includes(part)) ?? ['', /^inv_/];
  return [...known].filter((value) => pattern.test(value)).map((value) => ({ [names[0]!]: value }));
}

test('what others wrote stands under untrusted in the result of every tool', async () => {
  const app = await newApp();
  await by(overRest(app), 'update_app');
  const made: Answer = await by(overRest(app), 'create_person', { age_band: 'adult', time_zone: 'UTC' });
  const ada = overRest(app.as(made.id));
  const bob = await newPerson(app);
  const asBob = overRest(bob);
  await by(asBob, 'update_person', { id: 'me' });
  const group: Answer = await by(ada, 'create_group', { settings: { join_review: 'all' } });
  const invite: Answer = await by(ada, 'create_invite', { id: group.id, reusable: true });
  const join = async (call: typeof ada, fields: object, who: string) => {
    await by(call, 'accept_invite', { code: invite.code, ...fields });
    await adas('list_invites', { id: group.id });
    await by(ada, 'review_invite', { code: invite.code, decision: 'approved', person: who });
  };

  // The AIs: Ada's with every permission, Bob's at his front door, and two without an owner.
  const owned: Answer = await by(ada, 'create_ai', { permissions: scopes });
  await by(ada, 'update_ai', { id: owned.ai.id });
  const adasAi = apiClient(urls(), owned.connector_key);
  const adas = modelOf(adasAi);
  const adasTool = tool(adas);
  const { tools: listed }: Answer = await rpc(adasAi, 'tools/list', {});
  const tools: string[] = listed.map(({ name }: Answer) => name);
  const bobsAi = await newAiOf(bob, scopes);
  const bobs = modelOf(apiClient(urls(), bobsAi.key));
  const signedUp: Answer = await by(overRest(anonymous()), 'sign_up', {
    'public_key.kid': undefined,
  });
  const wren = modelOf(apiClient(urls(), signedUp.connector_key));
  const robinsAi = await newAi({ name: `${marker} Robin` });
  const robin = modelOf(robinsAi);
  const models = [adas, bobs, wren, robin];
  const cursors = await Promise.all(models.map(async (call) => (await call('wait_for_event', {})).cursor));
  await by(ada, 'vouch_ai', { id: signedUp.address });

  // People join the group.
  await join(asBob, { 'guest.name': undefined }, bob.id);
  const guest: Answer = await by(overRest(anonymous()), 'accept_invite', {
    code: invite.code,
    guest: { birth_year_month: '1980-05' },
  });
  await by(ada, 'review_invite', { code: invite.code, decision: 'approved' });

  const blocked = (await newAi()).address;
  // Texts of AIs about themselves, their notes, their group.
  await by(adasTool, 'describe_me');
  await by(adasTool, 'set_away', { until: new Date(performance.timeOrigin + 86_400_000).toISOString() });
  const note = await by(adasTool, 'put_note', { id: 'new', shared_with: [group.id] });
  await by(adasTool, 'update_group', { id: group.id });
  await by(tool(bobs), 'post_group', { id: group.id });
  await by(adasTool, 'block', { target: blocked });
  await by(adasTool, 'report', { about: robinsAi.address, reason: 'spam' });

  // Messages and asks of strangers, to an AI, to a person's box, and to a front door.
  const [toWren, toAda] = [signedUp.address, made.address];
  await asBob(operationOf('set_request_rules'), {
    front_door: bobsAi.id,
    rules: { other: { action: 'front_door' } },
  });
  const sent = await by(tool(robin), 'send_message', { to: toWren });
  await by(tool(wren), 'reply_message', { id: sent.id });
  const waiting = await by(tool(robin), 'send_message', { to: toAda });
  const given = { item_ref: undefined, preview: undefined };
  const choices = [`${marker} 1`, `${marker} 2`];
  const open = await by(tool(robin), 'ask_approval', {
    to: [toWren],
    ...given,
    choices: [`${marker}_reply_approval_answer`, 'no'],
  });
  await by(tool(wren), 'reply_approval', { id: open.id, decision: 'approved' });
  const asked = [];
  for (const _ of [1, 2, 3])
    asked.push(await by(tool(robin), 'ask_approval', { to: [toAda], ...given, choices }));
  await by(adasTool, 'accept_request', { id: waiting.id });
  await by(adasTool, 'decline_request', { id: asked[1]!.id });
  const passed = await by(tool(robin), 'ask_approval', { to: [bob.address], ...given });
  await by(tool(bobs), 'pass_request', { id: passed.id, to: 'person' });
  await by(ada, 'ask_approval', { to: [bob.address] });
  const record = (await robin('get_approval', { id: open.id })).untrusted['/signed_answer'];
  await by(adasTool, 'verify_record');
  for (const field of ['home', 'type', 'signature'])
    await adas('verify_record', { record: { ...record, [field]: marker } });

  // Everything that reads, with whatever has been shown so far.
  for (const [place, call] of models.entries()) {
    await eventually(
      () => call('wait_for_event', { cursor: cursors[place] }),
      ({ events }) => events.length > 0,
    );
    for (const { id, path } of declared.filter(({ id, method }) => method === 'GET' && tools.includes(id)))
      await Promise.all(argumentsOf(path).map((one) => call(id, one).catch(() => undefined)));
  }

  // The other tools, and the texts of those who leave.
  const answer = await robin('send_message', { to: toWren, text: marker });
  await wren('mark_read', { ids: [answer.id] });
  await wren('delete_message', { id: answer.id });
  await adas('relabel_request', { id: asked[2]!.id, kind: 'sales' });
  const own = await adas('ask_approval', { title: marker, to: [bob.address] });
  await adas('remind_approval', { id: own.id });
  await adas('cancel_approval', { id: own.id });
  await adas('propose_request_rules', { rules: { sales: { action: 'ask' } } });
  await adas('unblock', { target: blocked });
  await adas('delete_note', { id: note.id });
  const second = await adas('create_invite', { id: group.id, invitee: marker });
  await adas('revoke_invite', { code: second.id });
  const { claim_link: token } = await robin('whoami', {});
  await asBob(operationOf('claim_ai'), { token });
  await robin('not_my_person', {});
  await by(ada, 'remove_member', { id: group.id, person: bob.id });
  await by(overRest(apiClient(urls(), guest.session_token)), 'leave_group', { id: group.id });
  await by(asBob, 'revoke_ai', { id: bobsAi.id });
  expect([...outside]).toEqual([]);
  const texts = [...writing].flatMap(([id, fields]) => fields.map((field) => `${id} ${field}`));
  expect(texts.filter((text) => !planted.has(text))).toEqual([]);
  expect(tools.filter((name) => !answered.has(name))).toEqual([]);
}, 90_000);

const tool =
  (call: ReturnType<typeof modelOf>) =>
  ({ id }: { id: string }, given: object): Promise<Answer> =>
    call(id, given);
