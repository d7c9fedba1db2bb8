import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { AnswerDecision, ApprovalStatus, RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { ItemViewSchema } from '@hearth/proto/approvals/v1/items';
import { RuleAction } from '@hearth/proto/approvals/v1/request_rules';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { asApp, everyPage } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { as, at, CHILD, per, refused, startApprovals, uuidOf, withScopes } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const { ASK, FRONT_DOOR } = RuleAction;
const { SALES, OTHER, PERSONAL } = RequestKind;
const list = async (caller: Caller, more = {}) => await home.by(caller).listRequests(more);
const ids = async (caller: Caller, more = {}) => (await list(caller, more)).requests.map(({ id }) => id);
const accept = (caller: Caller, id: string, more = {}) => home.by(caller).acceptRequest({ id, ...more });
const decline = (caller: Caller, id: string, more = {}) => home.by(caller).declineRequest({ id, ...more });

/** Places a message that waits for a person. */
async function wait(
  person: PersonFacts,
  sender: Caller,
  item: { holder?: string; box?: string; label?: string } = {},
  view: MessageInitShape<typeof ItemViewSchema> = {},
) {
  const senders = [sender.id, ...(sender.person ? [sender.person] : [])];
  const from = { from: sender.address, fromName: sender.name, fromStatus: 'claimed', nameVerified: true };
  const shown = { preview: 'Hello!', ...from, to: `@${person.handle}`, ...(view as object) };
  return await home.place('message', { owner: person.id, senders, ...item }, shown);
}

async function invite(person: PersonFacts, by: PersonFacts) {
  const title = 'An invitation into Chess club';
  const from = { fromName: by.name, fromPerson: by.id, fromStatus: 'person', nameVerified: true };
  return await home.place(
    'invite',
    { owner: person.id, senders: [by.id] },
    { title, ...from, toPerson: person.id },
  );
}

const askOf = async (sender: Caller, person: PersonFacts, more = {}) =>
  (await home.ask(sender, { to: at(person), ...more })).id;
const remembered = async (person: PersonFacts, sender: Caller) => {
  const asked = { sender: sender.id, senderKind: 'ai', checked: true, recipient: person.id, kind: OTHER };
  const { reached } = await home.fromMessages.checkReach({ reaches: [asked] });
  return reached[0]!.how === 'inbox';
};

describe('the list of requests', () => {
  test('has asks, messages and invites, newest first, with their senders', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    const robin = home.newAi();
    const ask = await askOf(eve, bob, { title: 'Coffee?', details: 'x'.repeat(100) });
    home.clock.advance(1_000);
    const message = await wait(
      bob,
      robin,
      { label: 'sales' },
      { title: 'Hi', fromStatus: 'unclaimed', nameVerified: false },
    );
    home.clock.advance(1_000);
    const fay = home.newPerson();
    const invitation = await invite(bob, fay);
    const { requests, nextCursor } = await list(as(bob));
    expect(nextCursor).toBeUndefined();
    expect(requests).toMatchObject([
      {
        id: invitation,
        type: 'invite',
        from: `@${fay.handle}`,
        fromName: fay.name,
        title: 'An invitation into Chess club',
      },
      {
        id: message,
        type: 'message',
        kind: SALES,
        from: robin.address,
        fromStatus: 'unclaimed',
        nameVerified: false,
        preview: 'Hello!',
        frontDoor: false,
      },
      { id: ask, type: 'approval', kind: OTHER, from: eve.address, title: 'Coffee?', nameVerified: true },
    ]);
    expect(requests.map(({ card }) => card)).toEqual(
      requests.map(({ from }) => `http://localhost:8080/v0/cards/${from}`),
    );
    expect([...requests[2]!.preview]).toHaveLength(65);
    expect(await ids(home.newAi(bob))).toEqual([invitation, message, ask]);
    expect(await ids(as(home.newPerson()))).toEqual([]);
    expect(await ids(robin)).toEqual([]);
    await refused(list(asApp(home.app)), 'bad_field');
  });

  test('is filtered by kind', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    const personal = await askOf(eve, bob, { requestKind: PERSONAL });
    const sales = await wait(bob, eve, { label: 'sales' });
    const other = await invite(bob, home.newPerson());
    expect(await ids(as(bob), { kind: PERSONAL })).toEqual([personal]);
    expect(await ids(as(bob), { kind: SALES })).toEqual([sales]);
    expect(await ids(as(bob), { kind: OTHER })).toEqual([other]);
  });

  test('is read page by page without gaps or repeats while more arrives', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    const all: string[] = [];
    for (let count = 0; count < 9; count += 1) {
      if (count % 3 === 0) all.push(await askOf(eve, bob));
      else if (count % 3 === 1) all.push(await wait(bob, eve));
      else all.push(await invite(bob, home.newPerson()));
      // Half of them arrive at the same time.
      if (count % 2 === 0) home.clock.advance(1);
    }
    const pages = await everyPage(async (place) => {
      const page = await list(as(bob), { limit: 2, ...place });
      home.clock.advance(1);
      await wait(bob, eve);
      return page;
    });
    const read = pages.flatMap(({ requests }) => requests);
    expect(read.map(({ id }) => id).sort()).toEqual([...all].sort());
    const times = read.map(({ at }) => Number(at!.seconds) * 1_000 + at!.nanos / 1e6);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    await refused(list(as(bob), { cursor: 'x' }), 'bad_field');
  });

  test('leaves out expired requests and senders of the same group', async () => {
    const [bob, fellow] = [home.newPerson(), home.newPerson()];
    home.newGroup(bob, fellow);
    await askOf(home.newAi(fellow), bob);
    await askOf(home.newAi(home.newPerson()), bob);
    expect(await ids(as(bob))).toHaveLength(1);
    home.clock.advance(8 * 86_400_000);
    expect(await ids(as(bob))).toEqual([]);
  });

  test('shows requests at the front door to the AI there', async () => {
    const bob = home.newPerson();
    const [door, other] = [home.newAi(bob), home.newAi(bob)];
    await home.by(bob).setRequestRules({ frontDoor: door.address, rules: { other: { action: FRONT_DOOR } } });
    const ask = await askOf(home.newAi(home.newPerson()), bob);
    const message = await wait(bob, home.newAi(), { holder: door.id, box: 'front_door' });
    expect((await ids(door)).sort()).toEqual([ask, message].sort());
    const announced = await home.announced('approvalRequested');
    expect(announced.find(({ approval }) => approval === ask)?.places).toMatchObject([
      { to: bob.id, owner: door.id, box: 'front_door', quiet: false },
    ]);
    expect((await list(door)).requests.every(({ frontDoor }) => frontDoor)).toBe(true);
    expect(await ids(other)).toEqual([]);
    expect(await ids(as(bob))).toEqual([]);
    await home.by(door).passRequest({ id: ask, to: 'person', note: 'looks fine' });
    expect((await list(as(bob))).requests).toMatchObject([
      { id: ask, passedNote: 'looks fine', frontDoor: false },
    ]);
  });

  test('shows the requests of a person under 18 to their guardian, with the sender as the guardian may see them', async () => {
    const { guardian, child } = home.newFamily();
    const young = home.newPerson({ ageBand: CHILD });
    const seenAs = { from: per(young), fromName: 'Tim Little Berg', to: per(child) };
    const message = await wait(child, as(young), { holder: guardian.id }, seenAs);
    const [seen] = (await list(as(guardian, ''))).requests;
    expect(seen).toMatchObject({
      id: message,
      from: expect.stringMatching(/^shp_/),
      fromName: 'Tim B.',
      to: `@${child.handle}`,
    });
    // The app that manages the sender sees them in full.
    const [whole] = (await list(as(guardian))).requests;
    expect(whole).toMatchObject({ from: `@${young.handle}`, fromName: 'Tim Little Berg' });
    expect(await ids(home.newAi(guardian))).toEqual([]);
    expect(await ids(as(child))).toEqual([]);
    await accept(as(guardian), message, { remember: true });
    const asked = { sender: young.id, senderKind: 'person', checked: true, recipient: child.id, kind: OTHER };
    const { reached } = await home.fromMessages.checkReach({ reaches: [asked] });
    expect(reached[0]!.how).toBe('inbox');
  });
});

test('requests are counted, with the time of the oldest, for the person and their AIs', async () => {
  const bob = home.newPerson();
  const began = timestampFromMs(home.clock.now());
  await wait(bob, home.newAi());
  home.clock.advance(1_000);
  await askOf(home.newAi(home.newPerson()), bob);
  await invite(bob, home.newPerson());
  const count = (owner: string, person: string) => home.client.countWaiting({ owner, person });
  expect(await count(bob.id, '')).toMatchObject({ approvals: 0, requests: 3, oldestRequest: began });
  expect(await count(home.newAi(bob).id, bob.id)).toMatchObject({ requests: 3 });
  const ai = home.newAi(bob);
  await home.ask(home.newAi(home.newPerson()), { to: [ai.address] });
  expect(await count(ai.id, bob.id)).toMatchObject({ requests: 4 });
  expect(await count(bob.id, '')).toMatchObject({ requests: 3 });
  expect(await count(home.newAi().id, '')).toMatchObject({ requests: 0 });
  expect(await count('x', '')).toMatchObject({ requests: 0 });
});

describe('accepting', () => {
  test('moves a message with its thread, and remembers the sender when requested', async () => {
    const bob = home.newPerson();
    const [eve, fay] = [home.newAi(home.newPerson()), home.newAi(home.newPerson())];
    const [first, second] = [await wait(bob, eve), await wait(bob, fay)];
    expect(await accept(as(bob), first)).toMatchObject({ id: first, status: 'inbox' });
    await accept(as(bob), second, { remember: true, note: 'Welcome' });
    expect(home.waiting.accepted.slice(-2)).toEqual([
      { id: uuidOf(first), by: bob.id, note: '' },
      { id: uuidOf(second), by: bob.id, note: 'Welcome' },
    ]);
    expect(await remembered(bob, eve)).toBe(false);
    expect(await remembered(bob, fay)).toBe(true);
    await refused(accept(as(bob), first), 'not_found');
  });

  test('removes an ask from the requests, and the ask still needs an answer', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    const ask = await askOf(eve, bob);
    await refused(accept(as(bob), ask, { note: 'yes' }), 'bad_field');
    expect(await accept(as(bob), ask, { remember: true })).toMatchObject({ status: 'inbox' });
    expect(await ids(as(bob))).toEqual([]);
    expect(await remembered(bob, eve)).toBe(true);
    const seen = await home.by(bob).getApproval({ id: ask });
    expect(seen.status).toBe(ApprovalStatus.WAITING);
    const request = { id: ask, decision: AnswerDecision.APPROVED };
    const settled = await home.by(bob).replyApproval(request);
    expect(settled.status).toBe(ApprovalStatus.APPROVED);
    await refused(accept(as(bob), ask), 'not_found');
  });

  test('joins the group of an invite, which only the person can do', async () => {
    const bob = home.newPerson();
    const invitation = await invite(bob, home.newPerson());
    const ai = withScopes(home.newAi(bob), Scope.APPROVE);
    await refused(accept(ai, invitation), 'needs_person');
    expect(await accept(as(bob), invitation, { note: 'gladly' })).toMatchObject({
      status: 'joined',
      next: 'You are in Book club now.',
      wording: { next: 'in words' },
    });
    expect(home.waiting.accepted.at(-1)).toEqual({
      id: uuidOf(invitation),
      by: bob.id,
      note: 'gladly',
    });
  });

  test.each(['apr', 'msg', 'inv', 'per'] as const)('an unknown %s_ is not found', async (prefix) => {
    const bob = as(home.newPerson());
    const id = printId(prefix, home.uuid());
    await refused(accept(bob, id), 'not_found');
    await refused(decline(bob, id), 'not_found');
  });

  test('somebody else’s request is not found', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    for (const id of [await askOf(eve, bob), await wait(bob, eve), await invite(bob, home.newPerson())]) {
      for (const other of [as(home.newPerson()), home.newAi(home.newPerson()), home.newAi(), eve]) {
        await refused(accept(other, id), 'not_found');
        await refused(decline(other, id), 'not_found');
      }
    }
    expect(await ids(as(bob))).toHaveLength(3);
  });
});

describe('declining', () => {
  test('answers an ask with a signed no, a message with a polite one, and returns an invite', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    const [ask, message, invitation] = [
      await askOf(eve, bob),
      await wait(bob, eve),
      await invite(bob, home.newPerson()),
    ];
    expect(await decline(as(bob), ask, { note: 'Not now' })).toMatchObject({ status: 'declined' });
    const seen = await home.by(eve).getApproval({ id: ask });
    expect(seen).toMatchObject({
      status: ApprovalStatus.DECLINED,
      people: [{ note: 'Not now', by: 'person' }],
    });
    expect(seen.signedAnswer).toBeDefined();
    expect(await remembered(bob, eve)).toBe(false);
    await decline(as(bob), message, { note: 'No, thanks', remember: true });
    expect(await remembered(bob, eve)).toBe(true);
    expect(home.waiting.declined.at(-1)).toMatchObject({ note: 'No, thanks', silent: false });
    await decline(as(bob), invitation);
    expect(home.waiting.declined.at(-1)?.id).toBe(uuidOf(invitation));
    expect(await ids(as(bob))).toEqual([]);
    await refused(decline(as(bob), ask), 'not_found');
  });

  test('works for an AI with the permission approve', async () => {
    const bob = home.newPerson();
    const ai = withScopes(home.newAi(bob), Scope.APPROVE);
    const ask = await askOf(home.newAi(home.newPerson()), bob);
    await decline(ai, ask);
    const [settled] = (await home.announced('approvalSettled')).slice(-1);
    expect(settled!).toMatchObject({ approval: ask, status: 'declined', answeredBy: ai.id });
  });
});

describe('relabelling', () => {
  const relabel = (caller: Caller, id: string, as_: RequestKind) =>
    home.by(caller).relabelRequest({ id, kind: as_ });

  test('changes the kind of a message and of later ones from its sender', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    const message = await wait(bob, eve);
    expect(await relabel(home.newAi(bob), message, PERSONAL)).toMatchObject({ status: 'waiting' });
    expect(home.waiting.relabelled.at(-1)).toEqual({ id: uuidOf(message), label: 'personal' });
    expect(await ids(as(bob), { kind: PERSONAL })).toEqual([message]);
    expect(await relabel(as(bob), message, SALES)).toMatchObject({ status: 'declined', kind: SALES });
    expect(home.waiting.declined.at(-1)).toMatchObject({ id: uuidOf(message), silent: false });
    const asked = { sender: eve.id, senderKind: 'ai', checked: true, recipient: bob.id, kind: OTHER };
    const { reached } = await home.fromMessages.checkReach({ reaches: [asked] });
    expect(reached[0]).toMatchObject({ how: 'declined', kind: SALES });
    await refused(relabel(as(bob), message, SALES), 'not_found');
  });

  test('silently declines what the rule for the new kind turns away, and returns an invite', async () => {
    const bob = home.newPerson();
    await home
      .by(bob)
      .setRequestRules({ rules: { sales: { action: RuleAction.TURN_AWAY }, other: { action: ASK } } });
    const message = await wait(bob, home.newAi());
    await relabel(as(bob), message, SALES);
    expect(home.waiting.declined.at(-1)).toMatchObject({ id: uuidOf(message), silent: true });
    const invitation = await invite(bob, home.newPerson());
    expect(await relabel(as(bob), invitation, PERSONAL)).toMatchObject({ status: 'waiting' });
    expect(await relabel(as(bob), invitation, SALES)).toMatchObject({ status: 'declined' });
    expect(home.waiting.declined.at(-1)?.id).toBe(uuidOf(invitation));
  });
});
