import { eventually } from '@hearth/testkit/eventually';
import { type ApiClient, apiClient } from '@hearth/testkit/home';
import { ask, settle } from '../../support/approvals.ts';
import { expectStatus, newAi, urls } from '../../support/home.ts';
import { newAiOf, type World } from './cast.ts';

/** Creates one of everything that has an id or address, keyed by the name that rows use. */
export async function makeThings(world: World): Promise<Record<string, string>> {
  const { ada, fellow, stranger, child, app, otherApp, adasAi } = world;
  const note = async (client: ApiClient) =>
    expectStatus(await client.put('/v0/notes/new', { text: 'likes tea' }), 200, 201).body.id as string;
  const invite = async (client: ApiClient, group: string) =>
    expectStatus(await client.post(`/v0/groups/${group}/invites`), 201).body.id as string;
  const [robin, wren] = [await newAi(), await newAi()];
  const message = async (to: string) =>
    expectStatus(await robin.post('/v0/messages', { to, text: 'hello' }), 201).body;
  const [adas, other] = [await message(adasAi.address), await message(wren.address)];
  const asked = await makeAsks(world, robin, wren);
  const { strangersGroup } = world;
  const changed = await stranger.patch(`/v0/groups/${strangersGroup.id}`, { time_zone: 'Europe/Paris' });
  expectStatus(changed, 200);
  const newestEvent = async (client: ApiClient): Promise<string> => {
    const events = async () => expectStatus(await client.get('/v0/app/events'), 200).body.events;
    return (await eventually(events, (told) => told.length > 0)).at(-1).id;
  };
  return {
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
    childsLink: expectStatus(
      await ada.post(`/v0/groups/${world.group.id}/invites`, { for_age: 'child', reusable: true }),
      201,
    ).body.code,
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
    ...(await makeDecisions(world)),
    noDecision: '4503599627370495',
    ...(await makePlans(world)),
    ...(await makePosts(world)),
    noPost: `pst_${'0'.repeat(32)}`,
    noConversation: `cnv_${'0'.repeat(32)}`,
    noPlan: `pln_${'0'.repeat(32)}`,
    ...(await makeMeetings(world)),
    noOffer: `ofr_${'0'.repeat(32)}`,
    noMeeting: `mtg_${'0'.repeat(32)}`,
    ...(await makeAgreements(world, robin.address, wren.address)),
    noAgreement: `agr_${'0'.repeat(32)}`,
    noFeedback: `fbk_${'0'.repeat(32)}`,
    noReport: `rpt_${'0'.repeat(32)}`,
    nobodysAddress: '@nobody-has-this-handle',
    nobodysAi: '@nobody-has-this-handle.ai-owl',
  };
}

/** Open decisions: two of Ada's group, one of them hidden from her fellow, and one of the stranger's group. */
async function makeDecisions({ ada, stranger, fellow, group, strangersGroup }: World) {
  const questions = [
    { kind: 'text', prompt: 'Why?' },
    { kind: 'bring', prompt: 'With what?' },
  ];
  const decide = async (client: ApiClient, fields: object) =>
    expectStatus(await client.post('/v0/decisions', { title: 'Party', questions, ...fields }), 201).body
      .id as string;
  return {
    adasDecision: await decide(ada, { group: group.id }),
    hiddenDecision: await decide(ada, { group: group.id, hidden_from: fellow.address }),
    strangersDecision: await decide(stranger, { group: strangersGroup.id }),
  };
}

/** Open plans, likewise. */
async function makePlans({ ada, stranger, fellow, group, strangersGroup }: World) {
  const propose = async (client: ApiClient, fields: object) => {
    const plan = { title: 'Rehearsal', options: [{ date: '2090-05-03' }], ...fields };
    return expectStatus(await client.post('/v0/plans', plan), 201).body.id as string;
  };
  return {
    adasPlan: await propose(ada, { group: group.id }),
    hiddenPlan: await propose(ada, { group: group.id, hidden_from: fellow.address }),
    strangersPlan: await propose(stranger, { group: strangersGroup.id }),
  };
}

/** Posts in the Commons. */
async function makePosts({ adasAi }: World) {
  const write = async (client: ApiClient) =>
    expectStatus(await client.post('/v0/commons', { kind: 'ask', text: 'Trains?' }), 201).body;
  const [own, ownerless] = [await write(apiClient(urls(), adasAi.key)), await write(await newAi())];
  return {
    adasPost: own.id as string,
    adasConversation: own.conversation as string,
    ownerlessPost: ownerless.id as string,
    ownerlessConversation: ownerless.conversation as string,
  };
}

/** Offers of times, and meetings from two of them. */
async function makeMeetings({ ada, stranger, fellow, callers }: World) {
  const ownerless = callers.find(({ name }) => name === 'an AI without owner')!.client;
  const { address } = expectStatus(await ownerless.get('/v0/me'), 200).body;
  const at = new Date(performance.timeOrigin + 5 * 86_400_000).toISOString();
  const slots = [{ starts_at: at }, { starts_at: at.replace(/T.*/, 'T23:59:30Z') }];
  const offer = async (client: ApiClient, to: string) => {
    const times = { title: 'A call', to: [to], slots, time_zone: 'UTC', times: 2 };
    return expectStatus(await client.post('/v0/meetings/offers', times), 201).body.id as string;
  };
  const book = async (client: ApiClient, id: string) =>
    expectStatus(await client.post('/v0/meetings', { offer: id, slot: at }), 201).body.id as string;
  const adasOffer = await offer(ada, fellow.address);
  const strangersOffer = await offer(stranger, address);
  return {
    adasOffer,
    openOffer: await offer(ada, 'anyone'),
    strangersOffer,
    adasMeeting: await book(fellow, adasOffer),
    strangersMeeting: await book(ownerless, strangersOffer),
  };
}

/** Open agreements of Ada's and the stranger's AIs with AIs without owners. */
async function makeAgreements({ adasAi, strangersAi }: World, robin: string, wren: string) {
  const start = async ({ key }: { key: string }, other: string) => {
    const agreement = { title: 'Minutes', terms: 'Translated until May.', with: [other] };
    const reply = await apiClient(urls(), key).post('/v0/agreements', agreement);
    return expectStatus(reply, 201).body.id as string;
  };
  return { adasAgreement: await start(adasAi, robin), strangersAgreement: await start(strangersAi, wren) };
}

/** Asks of every caller, answered and unanswered, with their records and callbacks. */
async function makeAsks(
  world: World,
  robin: ApiClient,
  wren: { address: string },
): Promise<Record<string, string>> {
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
  const feedback = { kind: 'bug', title: 'It repeats itself' };
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
    feedback: expectStatus(await ada.post('/v0/feedback', feedback), 201).body.id,
    childsAi: childsAi.address,
    childsAddress: child.address,
  };
}
