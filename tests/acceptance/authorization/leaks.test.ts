import type { ApiClient, Reply } from '@hearth/testkit/home';
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
import { declared } from './declared.ts';

/** Words about the child that only their guardians and the app that holds them may read. */
const secrets = { name: 'Kestrel Quillfeather', handle: 'kestrel-quill-leak', externalId: 'pupil-0815-leak' };

interface Viewer {
  name: string;
  client: ApiClient;
  /** Whether the child is shown to them as they are. */
  seesWhole?: true;
}

let child: TestPerson;
let group: TestGroup;
let viewers: Viewer[];
/** Ids and addresses that a viewer may know from elsewhere, the child's own among them. */
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
  const fellowsAi = await newAiOf(fellow, scopes);
  const busybody = await newPerson(await newApp({ name: 'Third' }), { name: 'Bo Busybody' });
  const asked = await makeAsks({ guardian, fellow, colleague, busybody }, childsAi.address);

  guesses = [
    ...asked,
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
}, 90_000);

/**
 * Asks by, of and about the child, of which the fellows are part, waiting and settled; gives their ids, and those of their
 * records with the keys of the receipts.
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
  // The other recipients learn nothing of a child that was named by an address.
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

interface Seen {
  operation: string;
  path: string;
  reply: Reply;
}

/** Every operation that reads, with every id that the answers so far have shown: what a curious viewer would do. */
async function walk({ client }: Viewer): Promise<Seen[]> {
  const reads = declared.filter(({ method }) => method === 'GET');
  const known = new Set(guesses);
  const asked = new Set<string>();
  const seen: Seen[] = [];
  for (let round = 0; round < 3; round += 1) {
    const paths = reads.flatMap(({ id, path }) => fill(path, [...known]).map((filled) => ({ id, filled })));
    for (const { id, filled } of paths) {
      if (asked.has(filled) || asked.size > 2_500) continue;
      asked.add(filled);
      const reply = await client.get(filled);
      seen.push({ operation: id, path: filled, reply });
      for (const [found] of JSON.stringify(reply.body).matchAll(
        /\b(?:per|shp|ai|grp|inv|msg|thr|nte|evt|apr|rec)_[0-9a-f]{32}/g,
      )) {
        if (known.size < 90) known.add(found);
      }
    }
  }
  return seen;
}

/** The paths of an operation with these values for its parameters: those of the kind that the path speaks of. */
function fill(path: string, values: readonly string[]): string[] {
  const names = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name!);
  if (names.length === 0)
    return [path === '/v0/groups/resolve' ? `${path}?q=${encodeURIComponent(group.id)}` : path];
  return names.reduce<string[]>(
    (paths, name) =>
      paths.flatMap((partial) =>
        values
          .filter((value) => fits(path, name, value))
          .map((value) => partial.replace(`{${name}}`, encoded(value))),
      ),
    [path],
  );
}

/** With the key that a receipt's link has, where there is one. */
function encoded(value: string): string {
  const [id, key] = value.split('?');
  return `${encodeURIComponent(id!)}${key === undefined ? '' : `?${key}`}`;
}

function fits(path: string, name: string, value: string): boolean {
  if (name === 'address') return /^[@&]|^shp_/.test(value);
  if (name === 'person' || path.startsWith('/v0/people')) return /^(?:per|shp)_|^@/.test(value);
  if (path.startsWith('/v0/groups')) return /^grp_|^&/.test(value);
  if (path.startsWith('/v0/ais')) return /^ai_/.test(value);
  if (path.startsWith('/v0/threads')) return value.startsWith('thr_');
  if (path.startsWith('/v0/messages')) return value.startsWith('msg_');
  if (path.startsWith('/v0/approvals')) return value.startsWith('apr_');
  if (path.startsWith('/v0/records')) return value.startsWith('rec_');
  if (value.includes('?')) return false;
  return !/^[@&]/.test(value);
}

const text = ({ reply }: Seen): string =>
  JSON.stringify([reply.body, ...[...reply.headers].filter(([name]) => name !== 'date')]);

describe('a child in a group', () => {
  test('is seen by nobody under what belongs to them alone', async () => {
    const hex = child.id.slice('per_'.length);
    const own = [hex, secrets.name, 'Quillfeather', secrets.handle, secrets.externalId, 'birth'];
    const leaks: string[] = [];
    const read = new Set<string>();
    for (const viewer of viewers.filter(({ seesWhole }) => !seesWhole)) {
      for (const answer of await walk(viewer)) {
        if (answer.reply.status === 200) read.add(answer.operation);
        // A refusal may repeat the words that the viewer sent.
        const sent = decodeURIComponent(answer.path);
        for (const secret of own) {
          if (text(answer).includes(secret) && !sent.includes(secret)) {
            leaks.push(`${viewer.name}: ${answer.operation} ${answer.path} shows ${secret}`);
          }
        }
      }
    }
    expect(leaks).toEqual([]);
    expect([...read]).toEqual(expect.arrayContaining(['list_approvals', 'get_approval', 'get_record']));
  }, 120_000);

  test('has another id for each viewer, the same each time, which nobody else can use', async () => {
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
    // The fellow and their AI act for the same person, but one of them through an app.
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

  test('is as unknown under their own id as somebody made up', async () => {
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

  test('joined on a day, not at a moment, for whoever does not see them whole', async () => {
    const { body } = await viewers[1]!.client.get(`/v0/groups/${group.id}/members`);
    const member = body.members.find((each: { person: { shielded: boolean } }) => each.person.shielded);
    expect(member.joined_at).toMatch(/T00:00:00\.000Z$/);
  });

  test('is seen whole by their guardian, their app and themselves', async () => {
    const { app } = child;
    for (const client of [child, app, app.as(child.id)]) {
      expect((await client.get(`/v0/people/${child.id}`)).body).toMatchObject({
        name: secrets.name,
        shielded: false,
      });
    }
  });
});
