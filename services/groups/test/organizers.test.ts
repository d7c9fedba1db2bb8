import { sql } from '@hearth/db';
import { type Group, Role } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aiOf, as, CHILD, per, startGroups, TEEN16, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { by } = home;

/** The group's expected state, by the simplest rules. */
interface Model {
  roles: Map<number, 'organizer' | 'member'>;
  archived: boolean;
  archivedBy: number | null;
  seq: bigint;
}

interface World {
  group: Group;
  people: PersonFacts[];
}

type Outcome = 'done' | 'refused';

/** An act by one of five people; the last two are under 18. */
type Act =
  | { kind: 'role'; by: number; whom: number; role: 'organizer' | 'member' }
  | { kind: 'remove'; by: number; whom: number }
  | { kind: 'leave'; by: number; confirm: boolean }
  | { kind: 'archive'; by: number }
  | { kind: 'restore'; by: number }
  | { kind: 'rename'; by: number }
  | { kind: 'drop'; whom: number };

const adults = 3;
const everybody = 5;
const someone = fc.nat({ max: everybody - 1 });
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('role' as const),
    by: someone,
    whom: someone,
    role: fc.constantFrom('organizer' as const, 'member' as const),
  }),
  fc.record({ kind: fc.constant('remove' as const), by: someone, whom: someone }),
  fc.record({ kind: fc.constant('leave' as const), by: someone, confirm: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom('archive' as const, 'restore' as const, 'rename' as const),
    by: someone,
  }),
  fc.record({ kind: fc.constant('drop' as const), whom: someone }),
);

test('any sequence of changes follows the rules and keeps an adult organizer in an active group', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: 25 }), async (run) => {
      const world = await newWorld();
      const model = newModel();
      for (const act of run) {
        expect([act, await perform(world, act)]).toEqual([act, expected(model, act)]);
        await compare(world, model);
      }
    }),
    { numRuns: 40 },
  );
});

test('concurrent changes keep an adult organizer in an active group, each with its own seq', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 2, maxLength: 12 }), async (run) => {
      const world = await newWorld();
      await by(as(world.people[0]!)).setRole({
        id: world.group.id,
        person: per(world.people[1]!),
        role: Role.ORGANIZER,
      });
      await Promise.all(run.map((act) => perform(world, act)));
      await keepsAnOrganizer(world);
      const seqs = (await home.events(world.group)).map(({ data }) =>
        Number((data.value as { seq: bigint }).seq),
      );
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }),
    { numRuns: 40 },
  );
});

async function newWorld(): Promise<World> {
  const people = Array.from({ length: everybody }, (_, index) =>
    home.newPerson({ ageBand: index < adults ? 1 : index === adults ? TEEN16 : CHILD }),
  );
  const group = await home.newGroup(people[0]!, { settings: { minors: 3 } });
  for (const person of people.slice(1)) {
    // No two joined at the same time, so the successor is certain.
    home.clock.advance(1_000);
    await home.put(group, person);
  }
  return { group, people };
}

function newModel(): Model {
  const roles = Array.from(
    { length: everybody },
    (_, index) => [index, index === 0 ? 'organizer' : 'member'] as const,
  );
  return { roles: new Map(roles), archived: false, archivedBy: null, seq: 1n };
}

async function perform({ group, people }: World, act: Act): Promise<Outcome> {
  const { id } = group;
  const caller = people['by' in act ? act.by : 0]!;
  const whom = 'whom' in act ? people[act.whom]! : undefined;
  try {
    switch (act.kind) {
      case 'role': {
        const role = act.role === 'organizer' ? Role.ORGANIZER : Role.MEMBER;
        await by(caller).setRole({ id, person: per(whom!), role });
        break;
      }
      case 'remove':
        await by(caller).removeMember({ id, person: per(whom!) });
        break;
      case 'leave':
        await by(caller).leaveGroup({ id, confirmArchive: act.confirm });
        break;
      case 'archive':
        await by(caller).archiveGroup({ id });
        break;
      case 'restore':
        await by(caller).restoreGroup({ id });
        break;
      case 'rename':
        await by(aiOf(people[act.by]!, home.uuid())).updateGroup({ id, name: home.uuid() });
        break;
      case 'drop':
        await home.fromIdentity.dropPerson({ person: whom!.id });
        break;
    }
    return 'done';
  } catch (error) {
    // A refusal, never an internal error.
    expect(error).toMatchObject({ kind: expect.stringMatching(/^(?:bad_request|forbidden|not_found)$/) });
    return 'refused';
  }
}

/** Applies the rules to the model. */
function expected(model: Model, act: Act): Outcome {
  const { roles } = model;
  const leads = (who: number) => roles.get(who) === 'organizer';
  const organizers = [...roles.values()].filter((role) => role === 'organizer').length;
  const change = (work: () => void): Outcome => {
    work();
    model.seq += 1n;
    return 'done';
  };
  switch (act.kind) {
    case 'role': {
      const before = roles.get(act.whom);
      if (!leads(act.by) || model.archived || before === undefined) return 'refused';
      if (before === act.role) return 'done';
      if (act.role === 'organizer' ? act.whom >= adults : organizers === 1) return 'refused';
      return change(() => roles.set(act.whom, act.role));
    }
    case 'remove':
      if (!leads(act.by) || act.by === act.whom || !roles.has(act.whom)) return 'refused';
      return change(() => roles.delete(act.whom));
    case 'leave': {
      if (!roles.has(act.by)) return 'refused';
      const last = leads(act.by) && organizers === 1 && !model.archived;
      if (last && !act.confirm) return 'refused';
      if (last) archive(model, null);
      return change(() => roles.delete(act.by));
    }
    case 'archive':
      if (!leads(act.by) || model.archived) return 'refused';
      archive(model, act.by);
      return 'done';
    case 'restore':
      if (!leads(act.by) || !model.archived || model.archivedBy !== act.by) return 'refused';
      return change(() => {
        model.archived = false;
      });
    case 'rename':
      if (!leads(act.by) || model.archived) return 'refused';
      return change(() => {});
    case 'drop': {
      if (!roles.has(act.whom)) return 'done';
      if (leads(act.whom) && organizers === 1 && !model.archived) follow(model, act.whom);
      return change(() => roles.delete(act.whom));
    }
  }
}

function archive(model: Model, by: number | null): void {
  model.archived = true;
  model.archivedBy = by;
  model.seq += 1n;
}

function follow(model: Model, leaver: number): void {
  // They joined in the order of their numbers.
  const next = [...model.roles.keys()]
    .sort((one, other) => one - other)
    .find((who) => who !== leaver && who < adults);
  if (next === undefined) archive(model, null);
  else {
    model.roles.set(next, 'organizer');
    model.seq += 1n;
  }
}

interface Row {
  archived: boolean;
  seq: number;
  members: { person: string; role: string; age_band: string }[];
}

async function readGroup({ group }: World): Promise<Row> {
  return await home.database.db.one<Row>(sql`
      select g.archived_at is not null as archived, g.seq,
        coalesce((select jsonb_agg(jsonb_build_object('person', m.person, 'role', m.role, 'age_band', m.age_band))
          from groups.members m where m."group" = g.id), '[]') as members
      from groups.groups g where g.id = ${uuidOf(group.id)}`);
}

async function compare(world: World, model: Model): Promise<void> {
  const row = await readGroup(world);
  const roles = new Map(
    row.members.map(({ person, role }) => [world.people.findIndex(({ id }) => id === person), role]),
  );
  expect([row.archived, BigInt(row.seq), roles]).toEqual([model.archived, model.seq, model.roles]);
  await keepsAnOrganizer(world);
}

async function keepsAnOrganizer(world: World): Promise<void> {
  const { archived, members } = await readGroup(world);
  const organizers = members.filter(({ role }) => role === 'organizer');
  expect(organizers.every(({ age_band }) => age_band === 'adult')).toBe(true);
  if (!archived) expect(organizers.length).toBeGreaterThan(0);
}
