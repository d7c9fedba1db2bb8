import { describe, expect, test } from '@jest/globals';
import { join, newApp, newChild, newGroup, newPerson } from '../support/apps.ts';
import { expectStatus, newAi } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';

describe('an AI of a person', () => {
  test('is created with a working key and an address under its person', async () => {
    const ann = await newPerson(await newApp());
    const made = expectStatus(await ann.post('/v0/ais', { name: 'Helper', platform: 'claude' }), 201).body;
    expect(made).toEqual({
      ai: {
        id: expect.stringMatching(/^ai_[0-9a-f]{32}$/),
        address: `${ann.address}.ai-helper`,
        name: 'Helper',
        platform: 'claude',
        owner: ann.id,
        owner_private: false,
        status: 'claimed',
        permissions: ['read', 'message'],
        revoked: false,
      },
      connector_key: expect.stringMatching(/^hearth_ai_/),
    });
    const { body: listed } = await ann.get('/v0/ais');
    expect(listed).toEqual({
      ais: [
        {
          ai: made.ai,
          keys: [
            {
              prefix: made.connector_key.slice(0, 14),
              created_at: expect.any(String),
              last_used: null,
              ends_at: null,
            },
          ],
          last_seen: null,
        },
      ],
      next_cursor: null,
    });
    const me = await ann.app.as(made.ai.id).get('/v0/me');
    expect(me.body).toMatchObject({ address: made.ai.address, person: { id: ann.id, address: ann.address } });
    const renamed = await ann.patch(`/v0/ais/${made.ai.id}`, { name: 'Butler' });
    expect(renamed.body.address).toBe(`${ann.address}.ai-butler`);
    expect((await ann.get(`/v0/cards/${made.ai.address}`)).body.address).toBe(renamed.body.address);
  });

  test('cannot be created, changed or listed by AIs and strangers', async () => {
    const ann = await newPerson(await newApp());
    const robin = await newAi();
    const refused = await robin.post('/v0/ais', { name: 'Helper' });
    expect([refused.status, refused.body.needs_person]).toEqual([403, true]);
    expect((await ann.app.post('/v0/ais', { name: 'Helper' })).body.field).toBe('Svc-Acting-For');
    const { ai } = expectStatus(await ann.post('/v0/ais', { name: 'Helper' }), 201).body;
    const other = await newPerson(await newApp());
    for (const reply of [
      await other.patch(`/v0/ais/${ai.id}`, { name: 'Stolen' }),
      await other.delete(`/v0/ais/${ai.id}`),
      await other.post(`/v0/ais/${ai.id}/keys`),
    ]) {
      expect([reply.status, reply.body]).toEqual([404, await notFoundBody(robin)]);
    }
    expect((await other.get('/v0/ais')).body.ais).toEqual([]);
  });

  test('of a person under 18 is created by their guardian, and is invisible to others', async () => {
    const app = await newApp();
    const parent = await newPerson(app);
    const child = await newChild(parent);
    const making = { name: 'Tutor', person: child.id };
    expect((await parent.post('/v0/ais', making)).body.code).toBe('guardian_needed');
    expectStatus(await parent.patch(`/v0/people/${child.id}`, { ai_share: true }), 200);
    const { ai } = expectStatus(await parent.post('/v0/ais', making), 201).body;
    expect(ai.owner).toBe(child.id);
    const stranger = await newPerson(await newApp());
    expect((await stranger.get(`/v0/cards/${ai.address}`)).body).toEqual(await notFoundBody(stranger));
    expect((await stranger.post('/v0/messages', { to: ai.address, text: 'hi' })).body.code).toBe(
      'turned_away',
    );
  });
});

describe('an AI that signed itself up', () => {
  test('is vouched for, claimed by its link, and can undo the claim', async () => {
    const app = await newApp();
    const [ann, bob] = [await newPerson(app), await newPerson(app)];
    const robin = await newAi();
    const { body: before } = await robin.get('/v0/me');
    const vouched = await bob.put(`/v0/ais/${robin.address}/vouch`, { note: 'met at work' });
    expect(vouched.body.status).toBe('vouched');
    expect((await ann.get(`/v0/cards/${robin.address}`)).body.vouched_by).toEqual([bob.address]);

    const group = await newGroup(ann);
    const claimed = expectStatus(
      await ann.post('/v0/ais/claim', { token: before.claim_link, group: group.address }),
      200,
    ).body;
    expect(claimed).toMatchObject({ id: robin.id, owner: ann.id, status: 'claimed' });
    expect(claimed.address.startsWith(`${ann.address}.ai-robin`)).toBe(true);
    expect((await bob.post('/v0/ais/claim', { token: before.claim_link })).status).toBe(404);
    const { body: owned } = await robin.get('/v0/me');
    expect(owned).toMatchObject({
      address: claimed.address,
      person: { id: ann.id },
      claimed_with_link: true,
      groups: [{ id: group.id, address: group.address, name: 'Book club' }],
    });
    expect(owned.next).toContain('/v0/me/not-my-person');

    const undone = expectStatus(await robin.post('/v0/me/not-my-person'), 200).body;
    expect(undone).toMatchObject({ address: robin.address, ai: { status: 'unclaimed', owner: null } });
    expect(undone.claim_link).not.toBe(before.claim_link);
    expect((await ann.get(`/v0/cards/${claimed.address}`)).status).toBe(404);
    expect((await robin.get('/v0/me')).body).toMatchObject({
      address: robin.address,
      claimed_with_link: false,
    });
    expect((await robin.post('/v0/me/not-my-person')).status).toBe(400);
    const { body: renewed } = await robin.post('/v0/ais/me/claim-link');
    expect((await ann.post('/v0/ais/claim', { token: undone.claim_link })).status).toBe(404);
    expect((await ann.post('/v0/ais/claim', { token: renewed.claim_link })).body.owner).toBe(ann.id);
  });
});

describe('messages to people', () => {
  test('wait in the requests until answered, or go to the inbox within a group', async () => {
    const app = await newApp();
    const [ann, bob] = [await newPerson(app), await newPerson(await newApp())];
    const sent = expectStatus(await ann.post('/v0/messages', { to: bob.address, text: 'hello' }), 201).body;
    expect(sent).toMatchObject({ delivery: 'requested', from: ann.address, from_status: 'person' });
    expect((await bob.get('/v0/messages?box=requests')).body.messages).toMatchObject([{ id: sent.id }]);
    const answer = await bob.post(`/v0/messages/${sent.id}/reply`, { text: 'yes?' });
    expect(answer.body.delivery).toBe('delivered');
    const fellow = await newPerson(app);
    await join(await newGroup(ann), fellow);
    const known = await fellow.post('/v0/messages', { to: ann.address, text: 'hello' });
    expect(known.body.delivery).toBe('delivered');
    const waiting = (await ann.get('/v0/me')).body.waiting.messages.count;
    expect(waiting).toBe(2);
  });

  test('to a minor of a group use a shielded id', async () => {
    const app = await newApp();
    const parent = await newPerson(app);
    const child = await newChild(parent);
    const other = await newApp();
    const organizer = await newPerson(other);
    const group = await newGroup(organizer);
    await join(group, child, parent);
    const members = (await organizer.get(`/v0/groups/${group.id}/members`)).body.members;
    const shielded = members.find(
      (member: { person: { shielded: boolean } }) => member.person.shielded,
    ).person;
    const card = (await organizer.get(`/v0/cards/${shielded.id}`)).body;
    expect(card).toMatchObject({ id: shielded.id, name: shielded.name, shielded: true, kind: 'person' });
    expect((await organizer.get(`/v0/cards/${child.address}`)).status).toBe(404);
    expect((await organizer.post('/v0/messages', { to: child.address, text: 'x' })).body.code).toBe(
      'turned_away',
    );
    const sent = expectStatus(
      await organizer.post('/v0/messages', { to: shielded.id, text: 'hi' }),
      201,
    ).body;
    expect(sent.to).toBe(shielded.id);
    const [atChild] = (await child.get('/v0/messages')).body.messages;
    expect(atChild).toMatchObject({ to: child.address, from: organizer.address });
    expectStatus(await child.post(`/v0/messages/${sent.id}/reply`, { text: 'hello' }), 201);
    const [atOrganizer] = (await organizer.get('/v0/messages')).body.messages;
    expect(atOrganizer).toMatchObject({ from: shielded.id, from_name: shielded.name });
    expect(JSON.stringify(atOrganizer)).not.toContain(child.handle);
  });
});
