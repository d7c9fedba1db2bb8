import { apiClient } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { newApp, newChild, newGroup, newPerson, operator, type TestPerson } from '../support/apps.ts';
import { expectStatus, newAi, urls } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';

const send = (from: Awaited<ReturnType<typeof newAi>> | TestPerson, to: string, text = 'hello', more = {}) =>
  from.post('/v0/messages', { to, text, ...more });
const requestsOf = async (person: Pick<TestPerson, 'get'>, query = '') =>
  expectStatus(await person.get(`/v0/requests${query}`), 200).body.requests;
const turnedAway = { error: 'this address does not take messages from you', code: 'turned_away' };

describe('the requests of a person', () => {
  test('contain messages and asks from strangers in one list, settled one by one', async () => {
    const person = await newPerson(await newApp());
    const robin = await newAi();
    const sent = expectStatus(await send(robin, person.address, 'May I help?'), 201).body;
    expect(sent).toMatchObject({ delivery: 'requested', box: 'sent' });
    const asked = expectStatus(
      await robin.post('/v0/approvals', { title: 'Coffee?', to: [person.address] }),
      201,
    ).body;
    expect(asked.people[0].handling).toBe('waiting_quietly');
    const waiting = await requestsOf(person);
    expect(waiting).toMatchObject([
      { id: asked.id, type: 'approval', title: 'Coffee?', from: robin.address, name_verified: false },
      { id: sent.id, type: 'message', preview: 'May I help?', kind: 'other', from_status: 'unclaimed' },
    ]);
    const card = expectStatus(await person.get(new URL(waiting[1].card).pathname), 200).body;
    expect(card).toMatchObject({ type: 'card', address: robin.address, name_verified: false });
    const page = expectStatus(await person.get('/v0/requests?limit=1'), 200).body;
    expect(page.requests).toEqual([waiting[0]]);
    expect(await requestsOf(person, `?limit=1&cursor=${page.next_cursor}`)).toEqual([waiting[1]]);

    const accepted = await person.post(`/v0/requests/${sent.id}/accept`, { remember: true, note: 'Yes?' });
    expect(expectStatus(accepted, 200).body).toEqual({ id: sent.id, status: 'inbox' });
    expect((await person.get('/v0/messages?box=inbox')).body.messages[0]).toMatchObject({ id: sent.id });
    expect((await robin.get('/v0/messages')).body.messages[0]).toMatchObject({ text: 'Yes?' });
    expect((await send(robin, person.address)).body.delivery).toBe('delivered');
    expectStatus(await person.post(`/v0/requests/${asked.id}/decline`, { note: 'No, thanks' }), 200);
    expect((await robin.get(`/v0/approvals/${asked.id}`)).body).toMatchObject({
      status: 'declined',
      people: [{ note: 'No, thanks' }],
      signed_answer: { type: 'approval.answer' },
    });
    expect(await requestsOf(person)).toEqual([]);
    const again = await person.post(`/v0/requests/${sent.id}/accept`, {});
    expect([again.status, again.body]).toEqual([404, await notFoundBody(robin)]);
  });

  test('follow their rules: a polite refusal, no answer, or a weekly limit', async () => {
    const person = await newPerson(await newApp());
    const robin = await newAi();
    const rules = expectStatus(
      await person.put('/v0/request-rules', {
        preset: 'just_me',
        rules: { other: { action: 'ask', weekly_cap: 1 }, offer: { action: 'decline' } },
      }),
      200,
    ).body;
    expect(rules).toMatchObject({
      preset: 'just_me',
      rules: {
        personal: { action: 'ask', checked_only: true, weekly_cap: 5 },
        sales: { action: 'turn_away', weekly_cap: null },
        other: { action: 'ask', checked_only: false, weekly_cap: 1 },
      },
    });
    const no = expectStatus(await send(robin, person.address, 'x', { request_kind: 'offer' }), 201).body;
    expect(no).toMatchObject({ delivery: 'declined', polite_no: expect.any(String) });
    for (const kind of ['sales', 'personal']) {
      const away = await send(robin, person.address, 'x', { request_kind: kind });
      expect([away.status, away.body]).toEqual([403, turnedAway]);
    }
    expect((await send(robin, person.address)).body.delivery).toBe('requested');
    expect((await send(await newAi(), person.address)).body.delivery).toBe('declined');
    expect((await person.get('/v0/request-rules')).body.turned_away).toEqual({ sales: 1, personal: 1 });
    expect(await requestsOf(person)).toHaveLength(1);
  });

  test('a block reads like any other refusal, ends pending requests, and can be lifted', async () => {
    const person = await newPerson(await newApp());
    const robin = await newAi();
    expectStatus(await send(robin, person.address), 201);
    const put = await person.put(`/v0/blocks/${encodeURIComponent(robin.address)}`, {
      reason: 'spam',
      report: true,
    });
    expect(expectStatus(put, 200).body).toMatchObject({ target: robin.address, reason: 'spam' });
    const away = await send(robin, person.address);
    expect([away.status, away.body]).toEqual([403, turnedAway]);
    // The answer means that the block is in force: pending requests are gone too.
    expect(await requestsOf(person)).toEqual([]);
    expect((await person.get('/v0/blocks')).body.blocks).toHaveLength(1);
    const { reports } = expectStatus(await operator().get('/v0/admin/reports?limit=100'), 200).body;
    expect(reports.some(({ about }: { about: string }) => about === robin.address)).toBe(true);
    const lifted = await person.delete(`/v0/blocks/${encodeURIComponent(robin.address)}`);
    expect(expectStatus(lifted, 200).body).toEqual({ unblocked: true });
    expect((await send(robin, person.address)).body.delivery).toBe('requested');
  });

  test('an AI without an owner can block too', async () => {
    const [robin, wren] = [await newAi(), await newAi()];
    const target = `/v0/blocks/${encodeURIComponent(robin.address)}`;
    for (let times = 0; times < 5; times++) {
      expect(expectStatus(await send(robin, wren.address), 201).body.delivery).toBe('delivered');
      expect(expectStatus(await wren.put(target), 200).body.pending).toBeUndefined();
      // Each process may have cached whether there was a block.
      const sent = await Promise.all([1, 2, 3].map(() => send(robin, wren.address)));
      expect(sent.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(expectStatus(await wren.delete(target), 200).body).toEqual({ unblocked: true });
    }
  });

  test('members of a common group need no request', async () => {
    const app = await newApp();
    const [ann, bob] = [await newPerson(app), await newPerson(app)];
    const group = await newGroup(ann);
    const invite = expectStatus(
      await ann.post(`/v0/groups/${group.id}/invites`, { to: bob.address }),
      201,
    ).body;
    const [waiting] = await requestsOf(bob);
    expect(waiting).toMatchObject({ id: invite.id, type: 'invite', from: ann.address });
    const joined = await bob.post(`/v0/requests/${invite.id}/accept`, {});
    expect(expectStatus(joined, 200).body.status).toBe('joined');
    expect((await send(ann, bob.address)).body.delivery).toBe('delivered');
    expect(await requestsOf(bob)).toEqual([]);
  });

  test('a minor receives requests through the guardian, once the guardian allows them', async () => {
    const app = await newApp();
    const guardian = await newPerson(app);
    const child = await newChild(guardian);
    const robin = await newAi();
    const write = () => send(robin, child.address);
    const away = await write();
    expect([away.status, away.body]).toEqual([403, turnedAway]);
    const own = await child.put('/v0/request-rules', { rules: { other: { action: 'ask' } } });
    expect([own.status, own.body.code]).toEqual([403, 'guardian_needed']);
    expectStatus(
      await guardian.put('/v0/request-rules', { person: child.id, rules: { other: { action: 'ask' } } }),
      200,
    );
    const sent = expectStatus(await write(), 201).body;
    expect(sent).toMatchObject({ delivery: 'requested', to: expect.stringMatching(/^shp_/) });
    expect((await child.get('/v0/messages')).body.messages).toEqual([]);
    expect(await requestsOf(child)).toEqual([]);
    expect(await requestsOf(guardian)).toMatchObject([{ id: sent.id, to: child.address }]);
    expectStatus(await guardian.post(`/v0/requests/${sent.id}/accept`, {}), 200);
    expect((await child.get('/v0/messages')).body.messages).toMatchObject([{ id: sent.id }]);
  });
});

describe('rules that an AI proposes', () => {
  test('wait for the person to accept them', async () => {
    const person = await newPerson(await newApp());
    const ai = expectStatus(await person.post('/v0/ais', { name: 'Helper' }), 201).body;
    // An app that asked (here for the AI) does not answer for the person.
    const byApp = person.app.as(ai.ai.id);
    const { id } = expectStatus(
      await byApp.post('/v0/request-rules/proposal', { preset: 'family' }),
      201,
    ).body;
    const own = await person.post(`/v0/request-rules/proposal/${id}/accept`, {});
    expect([own.status, own.body.code]).toEqual([403, 'own_ask']);
    expectStatus(await byApp.delete(`/v0/approvals/${id}`), 200);
    const helper = apiClient(urls(), ai.connector_key);
    const proposal = expectStatus(
      await helper.post('/v0/request-rules/proposal', { preset: 'founder' }),
      201,
    ).body;
    expect(Object.keys(proposal.changes).sort()).toEqual(['introduction', 'offer', 'other', 'personal']);
    expect((await person.get('/v0/request-rules')).body).toMatchObject({ proposal: { id: proposal.id } });
    const byItself = await helper.post(`/v0/request-rules/proposal/${proposal.id}/accept`, {});
    expect([byItself.status, byItself.body.needs_person]).toEqual([403, true]);
    const accepted = await person.post(`/v0/request-rules/proposal/${proposal.id}/accept`, {});
    expect(expectStatus(accepted, 200).body).toMatchObject({ preset: 'founder' });
    const twice = await person.post(`/v0/request-rules/proposal/${proposal.id}/decline`, {});
    expect([twice.status, twice.body.code]).toEqual([400, 'already_settled']);
  });
});
