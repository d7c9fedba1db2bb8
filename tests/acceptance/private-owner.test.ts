import { eventually } from '@hearth/testkit/eventually';
import { describe, expect, test } from '@jest/globals';
import { join, newApp, newChild, newGroup, newPerson, type TestPerson } from '../support/apps.ts';
import { expectStatus, newAi } from '../support/home.ts';

const permissions = ['read', 'message', 'group'];

/** Everything that a viewer can read about an AI: its card, messages to them, posts, and activity. */
async function everythingSeen(viewer: TestPerson, ai: { id: string; address: string }, group?: string) {
  const seen = [
    await viewer.get(`/v0/cards/${ai.address}`),
    await viewer.get(`/v0/ais/${ai.id}`),
    await viewer.get('/v0/messages'),
    await viewer.get('/v0/messages?box=requests'),
    await viewer.get('/v0/threads'),
    await viewer.get('/v0/requests'),
  ];
  if (group !== undefined) {
    seen.push(await viewer.get(`/v0/groups/${group}/messages`));
  }
  for (const reply of seen) expectStatus(reply, 200);
  return JSON.stringify(seen.map(({ body }) => body));
}

/** Text about the owner that must not appear. */
function secretsOf({ id, address }: { id: string; address: string }, name: string): string[] {
  return [id, id.replace('per_', ''), address.slice(1), name];
}

describe('an AI whose owner keeps their name private', () => {
  test('reveals nothing of the owner to a stranger or a fellow member, in any response', async () => {
    const owner = await newPerson(await newApp(), { name: 'Quirina Hidden' });
    const fellow = await newPerson(await newApp());
    const stranger = await newPerson(await newApp());
    const group = await newGroup(fellow);
    await join(group, owner);
    const making = { name: 'Butler', owner_private: true, permissions };
    const { ai } = expectStatus(await owner.post('/v0/ais', making), 201).body;
    expect(ai).toMatchObject({ address: expect.stringMatching(/^@free-/), owner: owner.id });
    const speaking = owner.app.as(ai.id);
    expectStatus(await speaking.post(`/v0/groups/${group.id}/messages`, { text: 'a word to all' }), 201);
    for (const viewer of [fellow, stranger]) {
      expectStatus(await speaking.post('/v0/messages', { to: viewer.address, text: 'hello there' }), 201);
      const isFellow = viewer === fellow;
      const text = await everythingSeen(viewer, ai, isFellow ? group.id : undefined);
      expect(text).toContain('hello there');
      expect(text).toContain(ai.address);
      if (isFellow) expect(text).toContain('a word to all');
      const mentions = secretsOf(owner, 'Quirina').filter((secret) => text.includes(secret));
      expect(mentions).toEqual([]);
      expect((await viewer.get(`/v0/cards/${owner.address}.ai-butler`)).status).toBe(404);
      expect(
        (await viewer.post('/v0/messages', { to: `${owner.address}.ai-butler`, text: 'x' })).status,
      ).toBe(404);
    }
    const invited = await fellow.post(`/v0/groups/${group.id}/invites`, { to: ai.address });
    expect([invited.status, JSON.stringify(invited.body)]).toEqual([
      400,
      expect.not.stringContaining(owner.id),
    ]);
    const [acted] = await eventually(
      async () => (await fellow.get(`/v0/activity?group=${group.id}`)).body.activity,
      (rows: unknown[]) => rows.length > 0,
    );
    expect(acted).toBeDefined();
  });

  test('is claimed under its address, and moves when the owner becomes visible or private', async () => {
    const owner = await newPerson(await newApp());
    const stranger = await newPerson(await newApp());
    const robin = await newAi({ name: 'Robin' });
    const { claim_link } = (await robin.get('/v0/me')).body;
    const claimed = expectStatus(
      await owner.post('/v0/ais/claim', { token: claim_link, owner_private: true }),
      200,
      201,
    ).body;
    expect(claimed).toMatchObject({ address: robin.address, owner: owner.id });
    const card = (await stranger.get(`/v0/cards/${robin.address}`)).body;
    expect([card.status, card.owner]).toEqual(['claimed', undefined]);
    const told = expectStatus(await owner.patch(`/v0/ais/${claimed.id}`, { owner_private: false }), 200).body;
    expect(told.address).toBe(`${owner.address}.ai-robin`);
    expect((await stranger.get(`/v0/cards/${robin.address}`)).body).toMatchObject({ owner: owner.id });
    const hidden = expectStatus(
      await owner.patch(`/v0/ais/${claimed.id}`, { owner_private: true }),
      200,
    ).body;
    expect(hidden.address).toMatch(/^@free-/);
    expect((await stranger.get(`/v0/cards/${told.address}`)).status).toBe(404);
    expect((await owner.get(`/v0/cards/${told.address}`)).body.address).toBe(hidden.address);
  });

  test('keeps its address when the owner changes their handle', async () => {
    const owner = await newPerson(await newApp());
    const { ai } = expectStatus(
      await owner.post('/v0/ais', { name: 'Still', owner_private: true }),
      201,
    ).body;
    const open = expectStatus(await owner.post('/v0/ais', { name: 'Open' }), 201).body.ai;
    const handle = `moved-${owner.id.slice(-10)}`;
    expectStatus(await owner.patch('/v0/people/me', { handle }), 200);
    expect((await owner.get(`/v0/ais/${ai.id}`)).body.address).toBe(ai.address);
    expect((await owner.get(`/v0/ais/${open.id}`)).body.address).toBe(`@${handle}.ai-open`);
  });

  test('of a minor hides from fellow members even the id under which they know the child', async () => {
    const parent = await newPerson(await newApp());
    const child = await newChild(parent);
    const fellow = await newPerson(await newApp());
    expectStatus(await parent.patch(`/v0/people/${child.id}`, { ai_share: true }), 200);
    const group = await newGroup(fellow);
    await join(group, child, parent);
    const making = { name: 'Tutor', person: child.id, owner_private: true, permissions };
    const { ai } = expectStatus(await parent.post('/v0/ais', making), 201).body;
    const speaking = child.app.as(ai.id);
    expectStatus(await speaking.post(`/v0/groups/${group.id}/messages`, { text: 'two and two' }), 201);
    const { members } = (await fellow.get(`/v0/groups/${group.id}/members`)).body;
    const shielded = JSON.stringify(members).match(/shp_[0-9a-f]{32}/)![0];
    const { messages } = expectStatus(await fellow.get(`/v0/groups/${group.id}/messages`), 200).body;
    expect(messages[0]).toMatchObject({ text: 'two and two', by_ai: true, from_name: 'An AI' });
    expect(messages[0].from).toMatch(/^shp_/);
    expect(messages[0].from).not.toBe(shielded);
    const text = JSON.stringify(messages);
    for (const secret of [...secretsOf(child, 'Tutor'), ai.address]) expect(text).not.toContain(secret);
  });
});

describe('an AI that denies its claimer', () => {
  test('needs no permission to do so, cannot be switched off meanwhile, and receives replies afterwards', async () => {
    const owner = await newPerson(await newApp());
    const friend = await newAi({ name: 'Friend' });
    const robin = await newAi({ name: 'Robin' });
    const { claim_link } = (await robin.get('/v0/me')).body;
    const claimed = expectStatus(await owner.post('/v0/ais/claim', { token: claim_link }), 200, 201).body;
    const sent = expectStatus(await robin.post('/v0/messages', { to: friend.address, text: 'hi' }), 201).body;
    expect(sent.from).toBe(`${owner.address}.ai-robin`);
    expectStatus(await owner.patch(`/v0/ais/${claimed.id}`, { permissions: ['read'] }), 200);
    const refused = await owner.delete(`/v0/ais/${claimed.id}`);
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringContaining('lower its permissions'),
    ]);
    const key = expectStatus(await owner.post(`/v0/ais/${claimed.id}/keys`, { reason: 'leaked' }), 200, 201)
      .body.connector_key;
    expect(key).toMatch(/^hearth_ai_/);
    const undone = expectStatus(await robin.post('/v0/me/not-my-person', {}), 200).body;
    expect(undone.address).toBe(robin.address);
    expect((await friend.get(`/v0/cards/${sent.from}`)).status).toBe(404);
    expectStatus(await friend.post(`/v0/messages/${sent.id}/reply`, { text: 'hello again' }), 201);
    const { messages } = (await robin.get('/v0/messages')).body;
    expect(messages.map(({ text }: { text: string }) => text)).toContain('hello again');
  });
});
