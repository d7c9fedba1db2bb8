import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind, Scope } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { addAi, addGroup, addPerson, newUuid, type PersonOptions, type TestGroup } from './persons.ts';
import { failure, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;
const newPerson = async (options?: PersonOptions) => (await addPerson(home, options)).caller;
const newAi = async ({ id: owner }: Caller) =>
  (await addAi(home, { owner, permissions: ['read', 'notes'] })).caller;
const newGroup = (handle: string, members: Caller[]) =>
  addGroup(
    home,
    members.map(({ id: uuid }) => ({ uuid })),
    { handle },
  );
const groupAiOf = ({ id: group }: TestGroup) =>
  create(CallerSchema, { kind: CallerKind.AI, id: newUuid(), group, scopes: [Scope.NOTES] });
afterAll(() => home.stop());

const inDays = (days: number) => timestampFromDate(new Date(home.clock.now() + days * 86_400_000));
const put = (caller: Caller, text: string, more: object = {}) =>
  by(caller).putNote({ id: 'new', text, ...more });
const textsOf = async (caller: Caller, about?: string) =>
  (await by(caller).listNotes({ ...(about !== undefined && { about }) })).notes.map(({ text }) => text);

describe('who can see which notes', () => {
  test('a person sees all their notes, an AI its own and those shared with a group, others nothing', async () => {
    const ada = await newPerson();
    const [robin, wren] = [await newAi(ada), await newAi(ada)];
    const bob = await newPerson();
    newGroup('readers', [ada]);
    await put(ada, 'mine alone');
    home.clock.advance(1_000);
    await put(ada, 'for the readers', { sharedWith: ['&readers'] });
    home.clock.advance(1_000);
    await put(robin, "robin's");
    expect(await textsOf(ada)).toEqual(["robin's", 'for the readers', 'mine alone']);
    expect(await textsOf(robin)).toEqual(["robin's", 'for the readers']);
    expect(await textsOf(wren)).toEqual(['for the readers']);
    expect(await textsOf(bob)).toEqual([]);
    expect(await textsOf(await newAi(bob))).toEqual([]);
  });

  test('an AI that changed hands does not see notes for its former owner', async () => {
    const ada = await newPerson();
    const robin = await newAi(ada);
    await put(robin, "ada's secret");
    const bob = await newPerson();
    expect(await textsOf(create(CallerSchema, { ...robin, person: bob.id }))).toEqual([]);
  });

  test('a group AI sees only notes shared with its group', async () => {
    const [ada, bob, cyd] = [await newPerson(), await newPerson(), await newPerson()];
    const chess = newGroup('chess', [ada, bob, cyd]);
    const other = newGroup('other', [ada]);
    await put(ada, 'private');
    await put(ada, 'for others', { sharedWith: [printId('grp', other.id)] });
    await put(ada, 'for both', { sharedWith: [printId('grp', other.id), '&chess'] });
    home.clock.advance(1_000);
    await put(await newAi(bob), 'of an AI', { sharedWith: ['&chess'] });
    await put(cyd, 'of one who leaves', { sharedWith: ['&chess'] });
    chess.members.delete(cyd.id);
    const { notes } = await by(groupAiOf(chess)).listNotes({});
    expect(notes.map(({ text, person, sharedWith }) => ({ text, person, sharedWith }))).toEqual([
      { text: 'of an AI', person: printId('per', bob.id), sharedWith: [printId('grp', chess.id)] },
      { text: 'for both', person: printId('per', ada.id), sharedWith: [printId('grp', chess.id)] },
    ]);
    chess.members.add(cyd.id);
    expect(await textsOf(groupAiOf(chess))).toContain('of one who leaves');
  });

  test("notes tell a group AI nothing about a child's identity", async () => {
    const ada = await newPerson();
    const child = await newPerson({ ageBand: 'child', guardian: { uuid: ada.id } });
    const team = newGroup('team', [child]);
    await put(await newAi(child), 'likes blue', { sharedWith: ['&team'] });
    const { notes } = await by(groupAiOf(team)).listNotes({});
    expect(notes[0]).toMatchObject({
      text: 'likes blue',
      person: expect.stringMatching(/^shp_[0-9a-f]{32}$/),
    });
    expect(notes[0]!.by).toBeUndefined();
    expect(timestampDate(notes[0]!.at!).toISOString()).toMatch(/T00:00:00.000Z$/);
  });
});

describe('put_note', () => {
  test('stores the given fields', async () => {
    const ada = await newPerson();
    const robin = await newAi(ada);
    const group = newGroup('walkers', [ada]);
    const expiresAt = inDays(3);
    const note = await put(robin, 'no Mondays', {
      about: 'Walks',
      sharedWith: ['&Walkers', '&walkers'],
      expiresAt,
    });
    expect(note).toMatchObject({
      id: expect.stringMatching(/^nte_[0-9a-f]{32}$/),
      about: 'walks',
      text: 'no Mondays',
      sharedWith: [printId('grp', group.id)],
      by: robin.address,
      expiresAt,
      at: timestampFromDate(new Date(home.clock.now())),
    });
    expect(note.person).toBeUndefined();
    expect((await put(ada, 'mine')).by).toBeUndefined();
  });

  test("replaces a note; an AI's note corrected by its person remains the AI’s, with the person’s text", async () => {
    const ada = await newPerson();
    const robin = await newAi(ada);
    const { id } = await put(robin, 'free on Mondays', { about: 'week' });
    home.clock.advance(5_000);
    const changed = await by(ada).putNote({ id, text: 'busy on Mondays' });
    expect(changed).toMatchObject({ id, text: 'busy on Mondays', sharedWith: [] });
    expect([changed.by, changed.about]).toEqual([undefined, undefined]);
    expect(await textsOf(robin)).toEqual(['busy on Mondays']);
    const again = await by(robin).putNote({ id, text: 'back to mine' });
    expect(again.by).toBe(robin.address);
  });

  test.each([
    ['about', { about: 'two words' }],
    ['shared_with[0]', { sharedWith: ['&nobody-here'] }],
    ['shared_with[1]', { sharedWith: ['&walkers', 'grp_00000000000070008000000000000000'] }],
    ['expires_at', { expiresAt: timestampFromDate(new Date('2026-03-01T00:00:00Z')) }],
  ])('refuses a bad %s', async (field, more) => {
    const ada = await newPerson();
    newGroup('walkers', [ada]);
    await expect(put(ada, 'x', more)).rejects.toMatchObject({ kind: 'bad_request', details: { field } });
  });

  test("shares with the person's own groups only, and other groups look unknown", async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const secret = newGroup('secret', [bob]);
    const messages = await Promise.all(
      ['&secret', printId('grp', secret.id), '&nowhere'].map((group) =>
        put(ada, 'x', { sharedWith: [group] }).catch((error: Error) => error.message),
      ),
    );
    expect(new Set(messages).size).toBe(1);
  });

  test.each(['r:else.example:grp_00000000000070008000000000000000', '&club@else.example'])(
    'says of %s that notes stay at this home',
    async (group) => {
      const sharing = put(await newPerson(), 'x', { sharedWith: [group] });
      await expect(sharing).rejects.toMatchObject({
        message: expect.stringContaining('of another home'),
        details: { field: 'shared_with[0]' },
      });
    },
  );

  test('is not found for invisible notes, and refused for visible ones of others', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const [robin, wren] = [await newAi(ada), await newAi(ada)];
    newGroup('club', [ada]);
    const { id: hidden } = await put(robin, 'a');
    const { id: shared } = await put(ada, 'b', { sharedWith: ['&club'] });
    for (const act of [
      (id: string, caller: Caller) => by(caller).putNote({ id, text: 'mine now' }),
      (id: string, caller: Caller) => by(caller).deleteNote({ id }),
    ]) {
      for (const id of ['nte_00000000000070008000000000000000', 'inv_1', '', hidden, shared])
        expect(await failure(act(id, bob))).toBe('not_found not_found');
      expect(await failure(act(hidden, wren))).toBe('not_found not_found');
      expect(await failure(act(shared, wren))).toBe('forbidden no_permission');
    }
    expect(await textsOf(ada)).toEqual(expect.arrayContaining(['a', 'b']));
  });

  test('a repeated request_id creates one note', async () => {
    const ada = await newPerson();
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(ada, 'once', { requestId: 'r1' })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await textsOf(ada)).toEqual(['once']);
    expect(await failure(put(ada, 'twice', { requestId: 'r1' }))).toBe('bad_request request_id_reused');
    expect((await put(await newAi(ada), 'another caller', { requestId: 'r1' })).text).toBe('another caller');
    await by(ada).deleteNote({ id: answers[0]!.id });
    expect(await failure(put(ada, 'once', { requestId: 'r1' }))).toBe('bad_request request_id_reused');
  });

  test('an AI without an owner has no notes', async () => {
    const group = newGroup('g-of-ai', []);
    const callers = [
      [groupAiOf(group), 'forbidden no_permission'],
      [create(CallerSchema, { kind: CallerKind.AI, id: group.id }), 'forbidden no_permission'],
      [create(CallerSchema, { kind: CallerKind.APP, id: group.id, app: group.id }), 'bad_request bad_field'],
    ] as const;
    for (const [caller, words] of callers) expect(await failure(put(caller, 'x'))).toBe(words);
  });
});

describe('deletion and expiry', () => {
  test('an expired note is hidden everywhere and does not count', async () => {
    const ada = await newPerson();
    const group = newGroup('brief', [ada]);
    const { id } = await put(ada, 'soon gone', { expiresAt: inDays(1), sharedWith: ['&brief'] });
    expect(await textsOf(groupAiOf(group))).toEqual(['soon gone']);
    home.clock.advance(86_400_000);
    expect(await textsOf(ada)).toEqual([]);
    expect(await textsOf(groupAiOf(group))).toEqual([]);
    expect(await failure(by(ada).putNote({ id, text: 'back' }))).toBe('not_found not_found');
    expect(await failure(by(ada).deleteNote({ id }))).toBe('not_found not_found');
  });

  test('a deleted note is gone', async () => {
    const ada = await newPerson();
    const { id } = await put(ada, 'x');
    expect(await by(ada).deleteNote({ id })).toMatchObject({ deleted: true });
    expect(await textsOf(ada)).toEqual([]);
    expect(await failure(by(ada).deleteNote({ id }))).toBe('not_found not_found');
  });
});

describe('list_notes', () => {
  test('pages through notes, even of one moment, and filters by subject', async () => {
    const ada = await newPerson();
    for (let index = 0; index < 7; index += 1) {
      await put(ada, `n${index}`, { about: index % 2 === 0 ? 'even' : '@ada' });
      if (index === 3) home.clock.advance(1_000);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await by(ada).listNotes({ limit: 2, ...(cursor !== undefined && { cursor }) });
      expect(page.notes.length).toBeLessThanOrEqual(2);
      seen.push(...page.notes.map(({ text }) => text));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.slice(0, 3).sort()).toEqual(['n4', 'n5', 'n6']);
    expect([...seen].sort()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
    expect((await textsOf(ada, 'Even')).sort()).toEqual(['n0', 'n2', 'n4', 'n6']);
    expect((await textsOf(ada, 'ada@hearth.example')).sort()).toEqual(['n1', 'n3', 'n5']);
    expect(await textsOf(ada, 'odd')).toEqual([]);
  });

  test.each([
    'x',
    Buffer.from('1.x').toString('base64url'),
    Buffer.from(`${'9'.repeat(15)}.`).toString('base64url'),
  ])('refuses the cursor %j', async (cursor) => {
    const ada = await newPerson();
    expect(await failure(by(ada).listNotes({ cursor }))).toBe('bad_request bad_field');
  });
});

test('the number of notes per person is limited, even concurrently', async () => {
  const small = await startIdentity({ env: { HEARTH_LIMITS: '{"notes_a_person": 3}' } });
  try {
    const ada = await addPerson(small);
    const note = (text: string, more: object = {}) => small.by(ada).putNote({ id: 'new', text, ...more });
    const made = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => note(`${index}`)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(note('more')).rejects.toMatchObject({
      kind: 'bad_request',
      details: { code: 'cap_reached', limit: 'notes_a_person' },
    });
    const { id } = (await small.by(ada).listNotes({})).notes[0]!;
    await small.by(ada).putNote({ id, text: 'in its place' });
    await small.by(ada).deleteNote({ id });
    await note('room again');
  } finally {
    await small.stop();
  }
});
