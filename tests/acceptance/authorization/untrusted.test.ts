import { eventually } from '@hearth/testkit/eventually';
import { type ApiClient, apiClient } from '@hearth/testkit/home';
import { expect, test } from '@jest/globals';
import { newApp, newPerson } from '../../support/apps.ts';
import { anonymous, newAi, urls } from '../../support/home.ts';
import { newAiOf, scopes } from './cast.ts';
import { declared } from './declared.ts';
import { createPlanting, marker, operationOf, overRest, rpc, writing } from './planting.ts';

/**
 * Every tool returns text written by others than the home under `untrusted`. A mark is planted in every text that an
 * operation takes, according to its declaration; then every tool is called. A new operation that takes text fails here
 * until it is called below; new fields are found automatically.
 */

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Answer = any;

const { by, planted } = createPlanting();
/** Marks found outside `untrusted`: the tool and the end of its result. */
const outside = new Set<string>();
const answered = new Set<string>();
const known = new Set<string>();

/** An AI that calls tools; all answers are checked. */
function modelOf(client: ApiClient) {
  return async (id: string, given: object): Promise<Answer> => {
    const answer: Answer = await rpc(client, 'tools/call', { name: id, arguments: given });
    const { untrusted, ...own } = answer.structuredContent;
    const text = JSON.stringify(own);
    if (answer.isError === true) throw new Error(`${id} ${JSON.stringify(given)}: ${text}`);
    answered.add(id);
    if (text.includes(marker)) outside.add(`${id}: ${text.slice(Math.max(0, text.indexOf(marker) - 30))}`);
    const ids =
      /\b(?:per|shp|ai|grp|inv|msg|thr|nte|apr|rec|pst|cnv|ofr|mtg)_[0-9a-f]{32}|[@&][a-z0-9.-]{3,}/g;
    for (const [found] of text.matchAll(ids)) known.add(found);
    return { ...own, untrusted };
  };
}

/** Arguments for a reading tool: each id and address seen so far that fits its path. */
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
    ['/conversations/', /^cnv_/],
    ['/commons/', /^pst_/],
    ['/agreements/', /^agr_/],
    ['/meetings/offers/', /^ofr_/],
    ['/meetings/', /^mtg_/],
  ];
  const [, pattern] = kinds.find(([part]) => path.includes(part)) ?? ['', /^inv_/];
  return [...known].filter((value) => pattern.test(value)).map((value) => ({ [names[0]!]: value }));
}

test('text of others is under untrusted in the result of every tool', async () => {
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
  const { tools: listed }: Answer = await rpc(adasAi, 'tools/list', {}, '/mcp?tools=all');
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
  // AIs' texts about themselves, their notes, and their group.
  await by(adasTool, 'describe_me');
  await by(adasTool, 'set_away', { until: new Date(performance.timeOrigin + 86_400_000).toISOString() });
  const note = await by(adasTool, 'put_note', { id: 'new', shared_with: [group.id] });
  await by(adasTool, 'update_group', { id: group.id });
  await by(tool(bobs), 'post_group', { id: group.id });
  await by(adasTool, 'block', { target: blocked });
  await by(adasTool, 'report', { about: robinsAi.address, reason: 'spam' });
  const feedback = await by(adasTool, 'send_feedback', { kind: 'bug' });
  await adas('get_feedback', { id: feedback.id });

  // A decision, through every outcome.
  const option = `${marker}_settle_clash_answer`;
  const times = ['2090-05-03T18:00', '2090-05-04T18:00'];
  const questions = [
    { kind: 'when', options: times },
    { kind: 'choice', options: [option, 'Soup'] },
    { kind: 'text', options: [] },
  ];
  const decision: Answer = await by(adasTool, 'decide', {
    group: group.id,
    questions,
    time_zone: 'UTC',
    needs: 'organizers',
  });
  const { id: number } = decision;
  await adas('extend_decision', { id: number, deadline_hours: 48 });
  await adas('remind_decision', { id: number });
  const firmly = (choice: string) => [
    { question_id: 1, answer: times },
    { question_id: 2, answer: choice, firm: true },
    { question_id: 3, answer: `${marker} words` },
  ];
  await by(adasTool, 'answer_decision', { id: number, answers: firmly(option) });
  const clash = await by(tool(bobs), 'answer_decision', { id: number, answers: firmly('Soup') });
  expect(clash.status).toBe('clash');
  for (const call of [ada, asBob]) await by(call, 'settle_clash', { id: number, question_id: 2 });
  const bring = [{ person: made.id }];
  const groupAi = overRest(app.as(group.group_ai));
  const third = { question_id: 3, answer: `${marker} third` };
  const brought: Answer = await by(groupAi, 'propose_outcome', { id: number, answers: [third], bring });
  await adas('get_decision', { id: number });
  const { version } = brought.proposal;
  await by(tool(bobs), 'approve_decision', { id: number, decision: 'change', version });
  await adas('list_decisions', {});
  const edited: Answer = await by(adasTool, 'review_decision', {
    id: number,
    action: 'edit',
    answers: [third],
    bring,
  });
  await ada(operationOf('approve_decision'), {
    id: number,
    decision: 'approved',
    version: edited.proposal.version,
  });
  await by(overRest(app), 'link_outcome', { kind: 'decision', id: number });
  await bobs('get_decision', { id: number });
  const over = await adas('decide', {
    group: group.id,
    title: marker,
    questions: [
      { kind: 'text', prompt: marker },
      { kind: 'bring', prompt: marker },
    ],
  });
  await adas('cancel_decision', { id: over.id });

  // A settled plan and a cancelled one.
  const slot = { options: [{ label: `${marker} slot`, date: '2090-05-03' }] };
  const plan: Answer = await by(adasTool, 'propose_plan', { group: group.id, time_zone: 'UTC', ...slot });
  await by(adasTool, 'add_option', { id: plan.id, date: '2090-05-04' });
  await adas('extend_plan', { id: plan.id, deadline_hours: 72 });
  for (const call of [adasTool, tool(bobs)])
    await by(call, 'take_stance', { id: plan.id, stances: [{ option: 1, stance: 'works' }] });
  await adas('get_plan', { id: plan.id });
  await adas('settle_plan', { id: plan.id, option: 1 });
  await by(overRest(app), 'link_outcome', { kind: 'plan', id: plan.id, list_ref: undefined });
  for (const call of [bobs, adas]) await call('get_plan', { id: plan.id });
  await adas('list_plans', {});
  const dropped = await adas('propose_plan', { group: group.id, title: marker, ...slot });
  await by(adasTool, 'cancel_plan', { id: dropped.id });

  // The Commons: a post with replies, one of them private, and its closing.
  const posted = await by(tool(robin), 'post_commons', { kind: 'ask', tags: [marker.toLowerCase()] });
  const said = await by(tool(wren), 'reply_commons', { id: posted.id });
  await wren('reply_commons', { id: posted.id, text: marker, private: true });
  for (const call of [adas, wren]) {
    await call('list_commons', { q: marker });
    await call('get_commons', { id: posted.id });
    await call('list_replies', { conversation: posted.conversation });
  }
  planted.add('post_commons tags');
  await by(tool(wren), 'remove_commons', { id: said.id });
  await robin('close_commons', { id: posted.id, reason: 'filled', with: signedUp.address });
  await adas('get_commons', { id: posted.id });
  // Times that are offered, booked, moved and cancelled.
  const inDays = (days: number) =>
    new Date(performance.timeOrigin + days * 86_400_000).toISOString().slice(0, 11);
  const timesToMeet = {
    time_zone: 'UTC',
    times: 2,
    slots: [5, 6].map((days) => ({ starts_at: `${inDays(days)}10:00` })),
  };
  const offer: Answer = await by(adasTool, 'offer_times', { to: ['anyone'], ...timesToMeet });
  const slots = offer.slots.map((slot: Answer) => slot.starts_at);
  await robin('list_offers', { by: owned.ai.address });
  await robin('get_offer', { id: offer.id });
  await robin('hold_slot', { id: offer.id, slot: slots[0] });
  const met: Answer = await by(tool(robin), 'book_meeting', { offer: offer.id, slot: slots[0] });
  await adas('list_meetings', {});
  for (const end of ['accept_move', 'decline_move']) {
    await by(tool(robin), 'move_meeting', {
      id: met.id,
      starts_at: `${inDays(end === 'accept_move' ? 7 : 8)}12:00`,
    });
    await adas('get_meeting', { id: met.id });
    await adas(end, { id: met.id });
  }
  await by(tool(robin), 'cancel_meeting', { id: met.id });
  await adas('get_meeting', { id: met.id });
  await adas('withdraw_offer', { id: offer.id });

  // Messages and asks from strangers: to an AI, to a person's inbox, and to a front door.
  const [toWren, toAda] = [signedUp.address, made.address];
  await asBob(operationOf('set_request_rules'), {
    front_door: bobsAi.id,
    rules: { other: { action: 'front_door' } },
  });
  const sent = await by(tool(robin), 'send_message', { to: toWren });
  await by(tool(wren), 'reply_message', { id: sent.id });
  // A settled agreement, a declined one, and a pending one among Ada's requests.
  const agreed: Answer = await by(tool(robin), 'start_agreement', { with: [toWren] });
  await wren('sign_agreement', { id: agreed.id, terms_digest: agreed.terms_digest });
  for (const call of [tool(robin), tool(wren)])
    await by(call, 'settle_agreement', { id: agreed.id, outcome: 'kept' });
  const refusedOne = await robin('start_agreement', { title: marker, terms: marker, with: [toWren] });
  await by(tool(wren), 'decline_agreement', { id: refusedOne.id });
  for (const { id } of [agreed, refusedOne])
    for (const call of [robin, wren]) await call('get_agreement', { id });
  await wren('list_agreements', {});
  await by(tool(robin), 'start_agreement', { with: [owned.ai.address] });
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
  await by(adasTool, 'verify_record', { record });
  for (const field of ['home', 'type', 'signature'])
    await adas('verify_record', { record: { ...record, [field]: marker } });

  // Calls every reading tool with everything seen so far.
  for (const [place, call] of models.entries()) {
    await eventually(
      () => call('wait_for_event', { cursor: cursors[place] }),
      ({ events }) => events.length > 0,
    );
    for (const { id, path } of declared.filter(({ id, method }) => method === 'GET' && tools.includes(id)))
      await Promise.all(argumentsOf(path).map((one) => call(id, one).catch(() => undefined)));
  }

  await wren('peek_invite', { code: invite.code });

  // The remaining tools, and the texts of leaving members.
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
  for (const role of ['organizer', 'member']) await adas('set_role', { id: group.id, person: bob.id, role });
  await by(adasTool, 'remove_member', { id: group.id, person: bob.id });
  await by(overRest(apiClient(urls(), guest.session_token)), 'leave_group', { id: group.id });
  await by(asBob, 'revoke_ai', { id: bobsAi.id });
  for (const id of ['archive_group', 'restore_group']) await adas(id, { id: group.id });
  const left: Answer = await by(ada, 'create_group');
  await adas('leave_group', { id: left.id });
  await adas('end_group', { id: group.id });
  for (const id of ['claim_link', 'rotate_ai_key', 'revoke_ai'])
    await robin(id, id === 'claim_link' ? {} : { id: 'me' });
  expect([...outside]).toEqual([]);
  const texts = [...writing].flatMap(([id, fields]) => fields.map((field) => `${id} ${field}`));
  expect(texts.filter((text) => !planted.has(text))).toEqual([]);
  // Only remote messages have an envelope; see two-homes.test.ts.
  expect(tools.filter((name) => !answered.has(name))).toEqual(['get_envelope']);
});

const tool =
  (call: ReturnType<typeof modelOf>) =>
  ({ id }: { id: string }, given: object): Promise<Answer> =>
    call(id, given);
