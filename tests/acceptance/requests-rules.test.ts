import { eventually } from '@hearth/testkit/eventually';
import { apiClient } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, get, reply, settle } from '../support/approvals.ts';
import { newApp, newPerson, type TestApp, type TestPerson } from '../support/apps.ts';
import { expectStatus, newAi, urls } from '../support/home.ts';

let app: TestApp;
beforeAll(async () => {
  app = await newApp();
});

async function aiOf(person: TestPerson, permissions: string[]) {
  const made = expectStatus(await person.post('/v0/ais', { name: 'Helper', permissions }), 201).body;
  const { id, address } = made.ai as { id: string; address: string };
  return { ...apiClient(urls(), made.connector_key), id, address };
}

describe('a proposal of rules', () => {
  test('is in the list of approvals, can be answered by the person only, and gets a signed answer', async () => {
    const person = await newPerson(app);
    const helper = await aiOf(person, ['read', 'message', 'approve']);
    const proposal = expectStatus(
      await helper.post('/v0/request-rules/proposal', { rules: { sales: { action: 'turn_away' } } }),
      201,
    ).body;
    const { approvals } = expectStatus(await person.get('/v0/approvals?status=waiting'), 200).body;
    expect(approvals).toMatchObject([
      {
        id: proposal.id,
        kind: 'rules',
        to_you: true,
        from: helper.address,
        details: 'sales: is turned away',
      },
    ]);
    expect(proposal.expires_at).toBe(approvals[0].expires_at);
    const byAi = await reply(helper, proposal.id, 'approved');
    expect([byAi.status, byAi.body.needs_person]).toEqual([403, true]);
    const settled = await settle(person, proposal.id, 'approved');
    expect(settled).toMatchObject({ status: 'approved', signed_answer: { ask: { kind: 'rules' } } });
    const { rules, proposal: left } = (await person.get('/v0/request-rules')).body;
    expect([rules.sales.action, left]).toEqual(['turn_away', undefined]);
  });

  test('is the only pending one, and can be withdrawn', async () => {
    const person = await newPerson(app);
    const helper = await aiOf(person, ['read', 'message']);
    const propose = (preset: string) => helper.post('/v0/request-rules/proposal', { preset });
    const first = expectStatus(await propose('founder'), 201).body;
    expect((await propose('family')).status).toBe(400);
    expect(expectStatus(await propose('founder'), 200).body.id).toBe(first.id);
    expectStatus(await helper.delete(`/v0/approvals/${first.id}`), 200);
    expectStatus(await propose('family'), 201);
    const late = await person.post(`/v0/request-rules/proposal/${first.id}/accept`);
    expect([late.status, late.body.code]).toEqual([400, 'already_settled']);
  });
});

describe('what a card says about accepted requests', () => {
  test("follows the person's rules, and looks the same to people they block", async () => {
    const [person, stranger, blocked] = [await newPerson(app), await newPerson(app), await newPerson(app)];
    const helper = await aiOf(person, ['read', 'message']);
    const acceptsFor = async (viewer: Pick<TestPerson, 'get'>, address: string) =>
      expectStatus(await viewer.get(`/v0/cards/${encodeURIComponent(address)}`), 200).body.accepts;
    const all = ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'];
    expect(await acceptsFor(stranger, person.address)).toEqual(all);
    expectStatus(await person.put(`/v0/blocks/${blocked.address}`), 200);
    expectStatus(await person.put('/v0/request-rules', { preset: 'just_me' }), 200);
    for (const address of [person.address, helper.address]) {
      for (const viewer of [stranger, blocked]) {
        await eventually(
          () => acceptsFor(viewer, address),
          (accepts) => JSON.stringify(accepts) === JSON.stringify(['personal', 'introduction', 'other']),
        );
      }
    }
    expect(await acceptsFor(stranger, (await newAi()).address)).toEqual(all);
  });
});

describe('an ask at a front door', () => {
  test('is passed on by the AI there, with its note, to its person only', async () => {
    const [person, asker] = [await newPerson(app), await newPerson(app)];
    const door = await aiOf(person, ['read', 'message']);
    const rules = { rules: { offer: { action: 'front_door' } }, front_door: door.id };
    expectStatus(await person.put('/v0/request-rules', rules), 200);
    const asked = await ask(asker, [person.address], { request_kind: 'offer' });
    expect(asked.people[0]?.handling).toBe('front_door');
    const waits = async (who: Pick<TestPerson, 'get'>) =>
      (await who.get('/v0/requests')).body.requests.map(({ id }: { id: string }) => id);
    expect([await waits(person), await waits(door)]).toEqual([[], [asked.id]]);
    const pass = (fields: object) => door.post(`/v0/approvals/${asked.id}/pass`, fields);
    expect((await pass({ to: 'somebody' })).status).toBe(400);
    expect((await person.post(`/v0/approvals/${asked.id}/pass`, { to: 'person' })).status).toBe(403);
    expectStatus(await pass({ to: 'person', note: 'sounds fair' }), 200);
    expect((await person.get('/v0/requests')).body.requests).toMatchObject([
      { id: asked.id, passed_note: 'sounds fair' },
    ]);
    expect((await reply(door, asked.id, 'approved')).status).toBe(403);
    expect((await settle(person, asked.id, 'approved')).status).toBe('approved');
  });

  test('that did not arrive there cannot be passed on', async () => {
    const [person, asker] = [await newPerson(app), await newPerson(app)];
    const helper = await aiOf(person, ['read', 'message']);
    const asked = await ask(asker, [person.address]);
    const passed = await helper.post(`/v0/approvals/${asked.id}/pass`, { to: 'person' });
    expect(passed.status).toBe(403);
  });
});

describe('a relabelled ask', () => {
  test('gets the polite refusal of the kind’s rule, and its sender is treated as that kind from then on', async () => {
    const [person, asker] = [await newPerson(app), await newPerson(app)];
    const asked = await ask(asker, [person.address], { request_kind: 'personal' });
    const relabelled = await person.post(`/v0/approvals/${asked.id}/relabel`, { kind: 'sales' });
    expect(expectStatus(relabelled, 200).body).toEqual({ id: asked.id, kind: 'sales', status: 'declined' });
    expect(await get(asker, asked.id)).toMatchObject({ status: 'declined', why: 'by_rule' });
    const next = await ask(asker, [person.address], { request_kind: 'personal' });
    expect(next).toMatchObject({ status: 'declined', people: [{ handling: 'declined' }] });
    expect((await asker.post(`/v0/approvals/${next.id}/relabel`, { kind: 'offer' })).status).toBe(403);
    expect((await person.post(`/v0/approvals/${asked.id}/relabel`, { kind: 'spam' })).status).toBe(400);
  });

  test('stays where the rule admits it', async () => {
    const [person, asker] = [await newPerson(app), await newPerson(app)];
    const asked = await ask(asker, [person.address]);
    const relabelled = await person.post(`/v0/requests/${asked.id}/relabel`, { kind: 'introduction' });
    expect(expectStatus(relabelled, 200).body).toMatchObject({ kind: 'introduction', status: 'waiting' });
    expect((await person.get('/v0/requests?kind=introduction')).body.requests).toMatchObject([
      { id: asked.id },
    ]);
  });
});
