import type { ApiClient } from '@hearth/testkit/home';
import { apiClient } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, settle } from '../../support/approvals.ts';
import {
  join,
  newApp,
  newChild,
  newGroup,
  newPerson,
  type TestGroup,
  type TestPerson,
} from '../../support/apps.ts';
import { expectStatus, newAi, urls } from '../../support/home.ts';
import { newAiOf, scopes } from './cast.ts';
import { textOf, walk } from './walk.ts';

/** Texts about the child that only the guardians and the app holding the child may read. */
const secrets = { name: 'Kestrel Quillfeather', handle: 'kestrel-quill-leak', externalId: 'pupil-0815-leak' };

interface Viewer {
  name: string;
  client: ApiClient;
  /** Whether the viewer sees the child in full. */
  seesWhole?: true;
}

let child: TestPerson;
let group: TestGroup;
let viewers: Viewer[];
/** Ids and addresses that a viewer may know from elsewhere, including the child's own. */
let guesses: string[];

beforeAll(async () => {
  const [app, otherApp] = await Promise.all([newApp(), newApp({ name: 'Other' })]);
  const handle = `${secrets.handle}-${Math.trunc(performance.now()) % 10_000}`;
  secrets.handle = handle;
  const guardian = await newPerson(app, { name: 'Grace Guardian' });
  const organizer = await newPerson(app, { name: 'Olga Organizer' });
  const [fellow, colleague, stranger] = await Promise.all([
    newPerson(otherApp, { name: 'Felix Fellow' }),
    newPerson(otherApp, { name: 'Clara Colleague' }),
    newPerson(otherApp, { name: 'Stan Stranger' }),
  ]);
  child = await newChild(guardian, { name: secrets.name, handle, external_id: secrets.externalId });
  group = await newGroup(organizer);
  for (const adult of [guardian, fellow, colleague]) await join(group, adult);
  await join(group, child, guardian);
  expectStatus(await guardian.patch(`/v0/people/${child.id}`, { ai_share: true }), 200);
  expectStatus(await child.post(`/v0/groups/${group.id}/messages`, { text: 'I am here' }), 201);
  const childsAi = await newAiOf(child, ['read', 'message', 'group'], 'Owl');
  const post = await postBefore(guardian);
  const fellowsAi = await newAiOf(fellow, scopes);
  const busybody = await newPerson(await newApp({ name: 'Third' }), { name: 'Bo Busybody' });
  const asked = await makeAsks({ guardian, fellow, colleague, busybody }, childsAi.address);

  guesses = [
    ...asked,
    post,
    child.id,
    `@${handle}`,
    childsAi.id,
    childsAi.address,
    group.id,
    group.address,
    guardian.id,
    fellow.id,
  ];
  viewers = [
    { name: 'a fellow through their app', client: fellow },
    { name: "a fellow's AI", client: apiClient(urls(), fellowsAi.key) },
    { name: 'another fellow', client: colleague },
    { name: 'the organizer, held by the same app', client: organizer, seesWhole: true },
    { name: 'the app of the fellows', client: otherApp },
    { name: 'a stranger', client: stranger },
    { name: 'an AI without owner', client: await newAi() },
    { name: 'nobody', client: apiClient(urls()) },
  ];
});

/**
 * An AI without an owner posts in the Commons and is then claimed for the child: its address now contains the child's handle.
 */
async function postBefore(guardian: TestPerson): Promise<string> {
  const free = await newAi();
  const note = { kind: 'note', text: 'Hello, all' };
  const { id } = expectStatus(await free.post('/v0/commons', note), 201).body;
  const { claim_link: token } = (await free.get('/v0/me')).body;
  expectStatus(await guardian.post('/v0/ais/claim', { token, for: child.id }), 200);
  return id;
}

/**
 * Makes asks by, to and about the child that also involve the fellows, pending and settled. Returns their ids, and
 * their records' ids with the receipts' keys.
 */
async function makeAsks(
  people: Record<'guardian' | 'fellow' | 'colleague' | 'busybody', TestPerson>,
  childsAi: string,
): Promise<string[]> {
  const { guardian, fellow, colleague, busybody } = people;
  const members = expectStatus(await fellow.get(`/v0/groups/${group.id}/members`), 200).body.members;
  const shielded = members.find((each: { person: { shielded: boolean } }) => each.person.shielded).person.id;
  const all = { needs: 'all' };
  const of = [child.address, childsAi, fellow.address, colleague.address];
  const about = { about: shielded, group: group.id, title: 'A photo of the match?' };
  const byChild = [guardian.address, fellow.address];
  const waiting = [
    await ask(guardian, of, all),
    await ask(fellow, [shielded, colleague.address]),
    await ask(fellow, [], about),
    await ask(child, byChild, all),
  ];
  // The other recipients learn nothing of a child who was named by address.
  const named = [child.address, childsAi, colleague.address, fellow.address];
  waiting.push(await ask(busybody, named));
  const settled = [
    await settle(guardian, (await ask(fellow, [], about)).id, 'approved'),
    await settle(fellow, (await ask(guardian, of, all)).id, 'declined'),
    await settle(child, (await ask(guardian, [child.address, fellow.address])).id, 'approved'),
    await settle(child, (await ask(fellow, [shielded, colleague.address])).id, 'declined', { note: 'No' }),
    await settle(fellow, (await ask(child, byChild)).id, 'approved'),
  ];
  settled.push(await settle(colleague, (await ask(busybody, named)).id, 'approved'));
  const receipts = settled.flatMap(({ signed_answer: signed, receipt }) =>
    signed === undefined ? [] : [signed.id, `${signed.id}?k=${new URL(receipt!).searchParams.get('k')}`],
  );
  return [...[...waiting, ...settled].map(({ id }) => id), ...receipts];
}

describe('a child in a group', () => {
  test('is never shown to others under identifiers of their own', async () => {
    const hex = child.id.slice('per_'.length);
    const own = [hex, secrets.name, 'Quillfeather', secrets.handle, secrets.externalId, 'birth'];
    const leaks: string[] = [];
    const read = new Set<string>();
    for (const viewer of viewers.filter(({ seesWhole }) => !seesWhole)) {
      for (const answer of await walk(viewer.client, { guesses, group: group.id })) {
        if (answer.reply.status === 200) read.add(answer.operation);
        // A refusal may repeat what the viewer sent.
        const sent = decodeURIComponent(answer.path);
        for (const secret of own) {
          if (textOf(answer).includes(secret) && !sent.includes(secret)) {
            leaks.push(`${viewer.name}: ${answer.operation} ${answer.path} shows ${secret}`);
          }
        }
      }
    }
    expect(leaks).toEqual([]);
    expect([...read]).toEqual(
      expect.arrayContaining(['list_approvals', 'get_approval', 'get_record', 'list_commons', 'get_commons']),
    );
  });

  test('has a different id for each viewer, stable and useless to others', async () => {
    const shown = await Promise.all(
      viewers.slice(0, 3).map(async ({ client }) => {
        const ids = new Set<string>();
        for (let time = 0; time < 2; time += 1) {
          const { body } = expectStatus(await client.get(`/v0/groups/${group.id}/members`), 200);
          const found = body.members.filter(
            (each: { person: { age_band: string } }) => each.person.age_band !== 'adult',
          );
          expect(found).toHaveLength(1);
          ids.add(found[0].person.id);
        }
        return [...ids];
      }),
    );
    // The fellow and their AI act for the same person, one of them through an app.
    expect(shown.map((ids) => ids.length)).toEqual([1, 1, 1]);
    const [byApp, byAi] = shown as [string[], string[], string[]];
    expect(byApp[0]).toMatch(/^shp_[0-9a-f]{32}$/);
    expect(byAi[0]).not.toBe(byApp[0]);
    const ai = viewers[1]!.client;
    const asked = await ai.get(`/v0/people/${byApp[0]}`);
    const madeUp = await ai.get(`/v0/people/shp_${'0'.repeat(32)}`);
    expect([asked.status, asked.body]).toEqual([404, madeUp.body]);
    expect((await ai.get(`/v0/people/${byAi[0]}`)).body).toMatchObject({
      id: byAi[0],
      name: 'Kestrel Q.',
      shielded: true,
    });
  });

  test('is as unknown under their own id as a made-up person', async () => {
    const { client } = viewers[1]!;
    const paths = (id: string) => [
      `/v0/people/${id}`,
      `/v0/groups/${group.id}/members/${id}`,
      `/v0/people/${id}/contacts`,
    ];
    const answers = await Promise.all(paths(child.id).map((path) => client.get(path)));
    const unknown = await Promise.all(paths(`per_${'0'.repeat(32)}`).map((path) => client.get(path)));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      unknown.map(({ status, body }) => [status, body]),
    );
  });

  test('has a join date without a time, for viewers who see them shielded', async () => {
    const { body } = await viewers[1]!.client.get(`/v0/groups/${group.id}/members`);
    const member = body.members.find((each: { person: { shielded: boolean } }) => each.person.shielded);
    expect(member.joined_at).toMatch(/T00:00:00\.000Z$/);
  });

  test('is shown in full to their guardian, their app and themselves', async () => {
    const { app } = child;
    for (const client of [child, app, app.as(child.id)]) {
      expect((await client.get(`/v0/people/${child.id}`)).body).toMatchObject({
        name: secrets.name,
        shielded: false,
      });
    }
  });
});
