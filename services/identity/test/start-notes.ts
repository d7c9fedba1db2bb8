import { create } from '@bufbuild/protobuf';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { CallerKind, Scope } from '@hearth/proto/options';
import { createWorld, fakePeers, startService } from '@hearth/testkit';
import { identity } from '../src/service.ts';

export type TestNotes = Awaited<ReturnType<typeof startNotes>>;

export interface TestGroup {
  id: string;
  /** uuids */
  members: Set<string>;
}

/** Identity as it stands, with a fake of groups, for what concerns notes. */
export async function startNotes(env: Record<string, string> = {}) {
  const world = createWorld();
  const home = await startService([identity], { peers: fakePeers(world.groups), env });
  const { database, ids } = home;
  const insert = (text: string, values: unknown[]) =>
    database.transaction((tx) => tx.execute({ text, values }));
  return {
    ...home,
    client: home.client(NotesService),
    async newPerson(band: 'adult' | 'child' = 'adult', guardians: Caller[] = []): Promise<Caller> {
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
      const minor = band !== 'adult';
      return create(CallerSchema, { kind: CallerKind.PERSON, id, address: `@${handle}`, minor });
    },
    async newAi(owner: Caller): Promise<Caller> {
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
    newGroup(handle: string, members: Caller[]): TestGroup {
      const group = world.newGroup([], { handle });
      for (const { id } of members) group.members.add(id);
      return { id: group.facts.id, members: group.members };
    },
    groupAiOf: (group: TestGroup) =>
      create(CallerSchema, { kind: CallerKind.AI, id: ids.uuid(), group: group.id, scopes: [Scope.NOTES] }),
  };
}
