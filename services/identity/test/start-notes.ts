import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { type ManualClock, manualClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { internal } from '@hearth/errors';
import { createIds, systemRandom } from '@hearth/ids';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Client, Handlers } from '@hearth/rpc';
import { type ServiceDefinition, startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { identity } from '../src/service.ts';

/** A group as the stand-in for the groups service knows it. */
export interface TestGroup {
  id: string;
  handle: string;
  members: Set<string>;
}

export interface TestNotes {
  client: Client<typeof NotesService>;
  clock: ManualClock;
  database: Database;
  newPerson(band?: 'adult' | 'child', guardians?: Caller[]): Promise<Caller>;
  newAi(owner: Caller): Promise<Caller>;
  newGroup(handle: string, members: Caller[]): TestGroup;
  groupAiOf(group: TestGroup): Caller;
  stop(): Promise<void>;
}

/** Identity as it stands, with a stand-in for groups, for what concerns notes. */
export async function startNotes(env: Record<string, string> = {}): Promise<TestNotes> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-notes-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const ids = createIds(clock, systemRandom);
  const groups: TestGroup[] = [];
  const running = await startHome(
    wholeHome([identity, standInGroups(groups)]),
    { DATABASE_URL: databaseFor.url, HEARTH_DATA: dataFolder, HEARTH_HOME: 'hearth.example', ...env },
    { clock, log: createLogger({ level: 'error', service: 'test' }) },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  const insert = (text: string, values: unknown[]) =>
    database.transaction((tx) => tx.execute({ text, values }));
  return {
    client: running.client(NotesService, 'gateway'),
    clock,
    database,
    async newPerson(band = 'adult', guardians = []) {
      const id = ids.uuid();
      const handle = `p-${ids.token(12).toLowerCase()}`;
      await insert(
        `insert into identity.people (id, handle, name, age_band, age_source, guest, time_zone, created_at)
         values ($1, $2, 'Ada Lovelace', $3, 'self', false, 'UTC', now())`,
        [id, handle, band],
      );
      for (const { id: guardian } of guardians)
        await insert('insert into identity.guardianships (child, guardian, since) values ($1, $2, now())', [
          id,
          guardian,
        ]);
      return create(CallerSchema, {
        kind: CallerKind.PERSON,
        id,
        address: `@${handle}`,
        minor: band !== 'adult',
      });
    },
    async newAi(owner) {
      const id = ids.uuid();
      const address = `${owner.address}.ai-${ids.token(8).toLowerCase()}`;
      await insert(
        `insert into identity.ais (id, address, name, platform, owner, owner_private, status, permissions,
           description, claim_version, claim_hash, created_at)
         values ($1, $2, 'Robin', 'other', $3, false, 'claimed', '{read,notes}', '', 1, $4, now())`,
        [id, address, owner.id, Buffer.from(id)],
      );
      const scopes = [Scope.READ, Scope.NOTES];
      return create(CallerSchema, { kind: CallerKind.AI, id, address, person: owner.id, scopes });
    },
    newGroup(handle, members) {
      const group = { id: ids.uuid(), handle, members: new Set(members.map(({ id }) => id)) };
      groups.push(group);
      return group;
    },
    groupAiOf: (group) =>
      create(CallerSchema, { kind: CallerKind.AI, id: ids.uuid(), group: group.id, scopes: [Scope.NOTES] }),
    async stop() {
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

function standInGroups(groups: readonly TestGroup[]): ServiceDefinition {
  const known: Partial<Handlers<typeof GroupsService>> = {
    async listGroupIds({ person }) {
      const own = groups.filter(({ members }) => members.has(person));
      return { groups: own.map(({ id, handle }) => ({ id, address: `&${handle}` })) };
    },
    async findMembership({ group, person }) {
      const found = groups.find(({ id }) => id === group);
      return found?.members.has(person) === true ? { group: { id: found.id } } : {};
    },
  };
  const handlers = new Proxy(known as Handlers<typeof GroupsService>, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (async () => {
        throw internal(`identity calls groups.${String(name)}`);
      }),
  });
  return {
    name: 'groups',
    async start(host) {
      host.serve(GroupsService, handlers);
    },
  };
}
