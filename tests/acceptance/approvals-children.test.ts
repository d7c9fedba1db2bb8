import { type ApiClient, apiClient } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, digestOf, expectSigned, get, reply, settle } from '../support/approvals.ts';
import {
  join,
  newApp,
  newChild,
  newGroup,
  newPerson,
  type TestGroup,
  type TestPerson,
} from '../support/apps.ts';
import { expectStatus, urls } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';
import { newAiOf } from './authorization/cast.ts';

let guardian: TestPerson;
let organizer: TestPerson;
/** In the group, held by another app. */
let fellow: TestPerson;
let stranger: TestPerson;
let child: TestPerson;
let group: TestGroup;
/** The child as the fellow sees them. */
let shielded: string;

beforeAll(async () => {
  const [app, other] = await Promise.all([newApp(), newApp({ name: 'Other' })]);
  [guardian, organizer, fellow, stranger] = await Promise.all([
    newPerson(app, { name: 'Grace Guardian' }),
    newPerson(app, { name: 'Olga Organizer' }),
    newPerson(other, { name: 'Felix Fellow' }),
    newPerson(other, { name: 'Stan Stranger' }),
  ]);
  child = await newChild(guardian, { name: 'Kestrel Quillfeather' });
  group = await newGroup(organizer);
  await join(group, guardian);
  await join(group, fellow);
  await join(group, child, guardian);
  const { members } = (await fellow.get(`/v0/groups/${group.id}/members`)).body;
  shielded = members.find((each: { person: { shielded: boolean } }) => each.person.shielded).person.id;
}, 180_000);

/** Expects that nothing identifies the child. */
function expectSilent(what: unknown): void {
  const text = JSON.stringify(what);
  for (const secret of [child.id, child.id.slice(4), child.handle, 'Quillfeather']) {
    if (text.includes(secret)) throw new Error(`tells ${secret}: ${text}`);
  }
}

describe('an ask about a child', () => {
  test("goes to the guardian, and only the guardian's own confirmation counts", async () => {
    const asked = await ask(fellow, [], { about: shielded, group: group.id, title: 'A photo of the match?' });
    expect(asked).toMatchObject({
      about: shielded,
      people: [{ to: guardian.address, handling: 'delivered' }],
    });
    expectSilent(asked);
    const seen = await get(guardian, asked.id);
    expect(seen).toMatchObject({
      about: child.address,
      about_name: child.name,
      subject: child.id,
      to_you: true,
    });

    const { ai } = expectStatus(
      await guardian.post('/v0/ais', { name: 'Helper', permissions: ['read', 'message', 'approve'] }),
      201,
    ).body;
    const byAi = await reply(guardian.app.as(ai.id), asked.id, 'approved');
    expect([byAi.status, byAi.body.needs_person, byAi.body.code]).toEqual([403, true, 'needs_person']);
    for (const who of [child, organizer, stranger]) {
      const foreign = await reply(who, asked.id, 'approved');
      expect([foreign.status, foreign.body]).toEqual([404, await notFoundBody(stranger)]);
    }

    const answered = await settle(guardian, asked.id, 'approved');
    const record = await expectSigned(answered.signed_answer);
    expect(record.ask).toMatchObject({ about_child: true, group: { id: group.id } });
    expect(record.answers).toMatchObject([{ to: guardian.address, by: 'person', proof: 'tap' }]);
    expectSilent(record);
    expectSilent(
      record.signature.protected && Buffer.from(record.signature.protected, 'base64url').toString(),
    );
    const after = await get(fellow, asked.id);
    expectSilent(after);
    expectSilent(expectStatus(await fellow.get('/v0/approvals'), 200).body);
    expectSilent(expectStatus(await fellow.app.get('/v0/approvals'), 200).body);
  });

  test('can only be created by fellow group members, with the id that they know', async () => {
    const asking = (who: TestPerson, fields: object) => who.post('/v0/approvals', { title: 'x', ...fields });
    const nothing = await notFoundBody(stranger);
    for (const [who, about] of [
      [fellow, child.id],
      [fellow, child.address],
      [stranger, shielded],
      [stranger, child.address],
    ] as const) {
      const refused = await asking(who, { about, group: group.id });
      expect([refused.status, refused.body]).toEqual([404, nothing]);
    }
    const named = expectStatus(await asking(fellow, { about: shielded, group: 'Book club' }), 201).body;
    expect(named.group.id).toBe(group.id);
    const unnamed = await asking(stranger, { about: shielded, group: 'Book club' });
    expect([unnamed.status, unnamed.body]).toEqual([404, nothing]);
    const adult = await asking(fellow, { about: guardian.address, group: group.id });
    expect(adult.status === 404 || adult.body.field === 'about').toBe(true);
    const elsewhere = await asking(fellow, { about: shielded, group: group.id, to: [stranger.address] });
    expect([elsewhere.status, elsewhere.body.field]).toEqual([400, 'to']);
    const own = await asking(guardian, { about: child.address, group: group.id });
    expect([own.status, own.body.field]).toEqual([400, 'about']);
  });

  test('of an app, about a photo of a child that it holds', async () => {
    const { app } = child;
    const fields = {
      kind: 'photo',
      about: child.id,
      item_ref: 'photo-77',
      preview: 'On the pier',
      title: 'May we show it?',
    };
    const asked = await ask(organizer, [], fields);
    expect(asked).toMatchObject({
      kind: 'photo',
      subject: child.id,
      item_ref: 'photo-77',
      preview: 'On the pier',
    });
    const { ai } = expectStatus(
      await organizer.post('/v0/ais', {
        name: 'Helper',
        permissions: ['read', 'message', 'group', 'approve'],
      }),
      201,
    ).body;
    const byAi = await app.as(ai.id).post('/v0/approvals', fields);
    expect(byAi.status).toBe(403);
    const ofOthers = await fellow.post('/v0/approvals', { ...fields, about: shielded });
    expect([ofOthers.status, ofOthers.body]).toEqual([404, await notFoundBody(stranger)]);
    const { signed_answer: signed } = await settle(guardian, asked.id, 'declined', { note: 'Rather not' });
    const record = await expectSigned(signed);
    expectSilent(record);
    expect(record.ask['digest']).toBe(
      digestOf({
        title: fields.title,
        free_text: false,
        preview: fields.preview,
        item_ref: fields.item_ref,
        to: [guardian.address],
      }),
    );
  });

  test('by a child is signed without naming the asker', async () => {
    const asked = await ask(child, [guardian.address], { title: 'May I stay up?' });
    expect(asked.people[0]!.handling).toBe('delivered');
    const { signed_answer: signed } = await settle(guardian, asked.id, 'approved');
    const record = await expectSigned(signed);
    expect(record.ask['requested_by']).toBe('under-18');
    expectSilent(record);
  });

  test('from a guardian to a child names no child in the record', async () => {
    const asked = await ask(guardian, [child.address], { title: 'Did you brush your teeth?' });
    const answered = await settle(child, asked.id, 'approved');
    const record = await expectSigned(answered.signed_answer);
    expect(record.answers).toMatchObject([{ to: 'under-18', name: 'Kestrel Q.', by: 'person' }]);
    expectSilent(record);
    expect(record.ask['digest']).toBe(digestOf({ title: asked.title, free_text: false, to: ['under-18'] }));
  });
});

describe('a recipient who turns you away', () => {
  const turned = { error: expect.any(String), code: 'turned_away' };

  /** Three addresses that refuse: by a rule, by a block, and because they belong to a child. */
  const refusing = async (addressOf: (person: TestPerson) => Promise<string> | string) => {
    const app = await newApp();
    const [strict, blocking, young] = await Promise.all([newPerson(app), newPerson(app), newChild(guardian)]);
    expectStatus(await strict.put('/v0/request-rules', { rules: { other: { action: 'turn_away' } } }), 200);
    expectStatus(await blocking.put(`/v0/blocks/${stranger.address}`), 200);
    expectStatus(await guardian.patch(`/v0/people/${young.id}`, { ai_share: true }), 200);
    return [await addressOf(strict), await addressOf(blocking), await addressOf(young)];
  };
  const aiOf = async (person: TestPerson) => (await newAiOf(person, ['read', 'message'])).address;
  const people = ['a person', ({ address }: TestPerson) => address] as const;
  const ais = ['an AI of a person', aiOf] as const;

  /** The answer to an ask, without fields that differ each time. */
  const asking = async (who: ApiClient, address: string, beside: readonly string[], needs: string) => {
    const { status, body } = await who.post('/v0/approvals', { title: 'x', to: [address, ...beside], needs });
    const { id, at, expires_at, digest, ...rest } = body;
    expect(id === undefined).toBe(status !== 201);
    if (status === 201) {
      expect(digest).toBe(digestOf({ title: 'x', free_text: false, to: [address, ...beside] }));
      await expectSame(body, await get(who, id));
    }
    return { status, body: JSON.parse(JSON.stringify(rest).replaceAll(address, 'the address')) };
  };
  const expectSame = async (asked: { people: object[] }, later: { people: object[] }) =>
    expect(later.people).toEqual(asked.people);

  test.each([people, ais])('looks the same for a rule, a block and a child: %s', async (_, addressOf) => {
    const addresses = await refusing(addressOf);
    const open = await newPerson(await newApp());
    const { key } = await newAiOf(stranger, ['read', 'message']);
    for (const who of [stranger, apiClient(urls(), key)]) {
      for (const [beside, needs] of [
        [[], 'any'],
        [[], 'all'],
        [[open.address], 'any'],
        [[open.address], 'all'],
      ] as const) {
        const [byRule, byBlock, ofChild] = await Promise.all(
          addresses.map((address) => asking(who, address, beside, needs)),
        );
        expect(byBlock).toEqual(byRule);
        expect(ofChild).toEqual(byRule);
        if (beside.length === 0 || needs === 'all') expect(byRule).toEqual({ status: 403, body: turned });
        else
          expect(byRule!.body.people).toEqual([
            { to: 'the address', person: 'the address', decision: 'declined', handling: 'turned_away' },
            expect.objectContaining({ to: open.address, decision: 'waiting' }),
          ]);
      }
    }
  });

  test('cannot be identified by others who are asked, nor from the record', async () => {
    const open = await newPerson(await newApp());
    const asked = await ask(stranger, [child.address, open.address]);
    const seen = await get(open, asked.id);
    expect(seen.people.map(({ to }) => to)).toEqual([open.address]);
    expectSilent(seen);
    const answered = await settle(open, asked.id, 'approved');
    expectSilent(answered);
    expectSilent(await expectSigned(answered.signed_answer));
    const unseen = await child.get(`/v0/approvals/${asked.id}`);
    expect([unseen.status, unseen.body]).toEqual([404, await notFoundBody(stranger)]);
  });

  test('takes about the same time for each of them', async () => {
    const addresses = await refusing(people[1]);
    const open = await newPerson(await newApp());
    const times = addresses.map((): number[] => []);
    for (let round = 0; round < 15; round += 1) {
      for (const [index, address] of addresses.entries()) {
        const from = performance.now();
        await stranger.post('/v0/approvals', { title: 'x', to: [address, open.address] });
        times[index]!.push(performance.now() - from);
      }
    }
    const [byRule, byBlock, ofChild] = times.map((each) => each.toSorted((a, b) => a - b)[7]!);
    for (const other of [byBlock!, ofChild!]) expect(Math.abs(other - byRule!)).toBeLessThan(byRule! + 10);
  });
});
