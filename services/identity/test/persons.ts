import { create } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { AiStatus, type Caller, CallerSchema, Proof, Via } from '@hearth/proto/common/v1/caller';
import { CallerKind, Scope } from '@hearth/proto/options';
import { asApp, ids } from '@hearth/testkit';
import { sha256 } from './ais.ts';
import type { TestIdentity } from './start-identity.ts';

let made = 0;

export const newUuid = () => ids.uuid();

export interface TestPerson {
  uuid: string;
  /** per_... */
  id: string;
  handle: string;
  name: string;
  /** Signed in by a session a moment ago. */
  caller: Caller;
  /** uuid */
  app: string | null;
}

export interface PersonOptions {
  name?: string;
  handle?: string;
  ageBand?: 'adult' | 'teen16' | 'teen13' | 'child';
  guest?: boolean;
  aiShare?: boolean;
  guardian?: Pick<TestPerson, 'uuid'>;
  /** uuid of an existing app */
  app?: string;
  deletedAt?: Date;
}

/** Inserts a person with an account. */
export async function addPerson(home: TestIdentity, options: PersonOptions = {}): Promise<TestPerson> {
  const { ageBand = 'adult', guest = false, aiShare = false, app = null, deletedAt = null } = options;
  made += 1;
  const handle = options.handle ?? `person-${made}`;
  const name = options.name ?? `Person Number${made}`;
  const uuid = newUuid();
  const now = nowDate(home.clock);
  await home.database.transaction(async (tx) => {
    await tx.execute(sql`
      insert into identity.people (id, handle, name, age_band, age_source, ai_share, guest, app, time_zone, created_at,
        deleted_at)
      values (${uuid}, ${handle}, ${name}, ${ageBand}, 'self', ${aiShare}, ${guest}, ${app}, 'UTC', ${now}, ${deletedAt})`);
    await tx.execute(
      sql`insert into identity.addresses (address, person, since) values (${`@${handle}`}, ${uuid}, ${now})`,
    );
    if (options.guardian !== undefined) {
      await tx.execute(sql`
        insert into identity.guardianships (child, guardian, since)
        values (${uuid}, ${options.guardian.uuid}, ${now})`);
    }
  });
  const minor = ageBand !== 'adult';
  const caller = create(CallerSchema, {
    kind: CallerKind.PERSON,
    id: uuid,
    address: `@${handle}`,
    name,
    scopes: allScopes,
    via: Via.WEB,
    session: newUuid(),
    authenticatedAt: guest ? 0n : BigInt(home.clock.now()),
    proof: Proof.EMAIL,
    guest,
    minor,
  });
  return { uuid, id: printId('per', uuid), handle, name, caller, app };
}

export const allScopes = [Scope.READ, Scope.NOTES, Scope.MESSAGE, Scope.GROUP, Scope.INVITE, Scope.APPROVE];

export interface TestAi {
  uuid: string;
  /** ai_... */
  id: string;
  address: string;
  /** The key to the home. */
  key: string;
  caller: Caller;
}

export interface AiOptions {
  /** uuid of a person */
  owner?: string;
  address?: string;
  permissions?: ('read' | 'message' | 'notes' | 'group')[];
  revoked?: boolean;
  /** Makes it the AI of a group that this app (uuid) made. */
  groupApp?: string;
  /** How its owner got it; by default they created it. */
  claimed?: { byLink: boolean; at: Date };
}

/** Inserts an AI with an address and a key. */
export async function addAi(home: TestIdentity, options: AiOptions = {}): Promise<TestAi> {
  const { owner = null, groupApp = null, permissions = ['read', 'message'], claimed } = options;
  const uuid = newUuid();
  const { address = `@free-${uuid.slice(-6)}.ai-robin` } = options;
  const key = `hearth_ai_${newUuid()}`;
  const now = nowDate(home.clock);
  const [claimedAt, addressBefore] = claimed === undefined ? [null, null] : [claimed.at, address];
  await home.database.transaction(async (tx) => {
    await tx.execute(sql`
      insert into identity.ais (id, address, name, platform, owner, status, permissions, group_id, group_app,
        revoked_at, created_at, claimed_at, claimed_by_link, address_before)
      values (${uuid}, ${address}, 'Robin', 'other', ${owner}, ${owner === null ? 'unclaimed' : 'claimed'},
        ${permissions}, ${groupApp === null ? null : newUuid()}, ${groupApp}, ${options.revoked ? now : null},
        ${claimedAt ?? now}, ${claimedAt}, ${claimed?.byLink ?? false}, ${addressBefore})`);
    await tx.execute(
      sql`insert into identity.addresses (address, ai, since) values (${address}, ${uuid}, ${now})`,
    );
    await tx.execute(sql`
      insert into identity.keys (id, ai, hash, prefix, created_at)
      values (${newUuid()}, ${uuid}, ${sha256(key)}, 'hearth_ai_', ${now})`);
  });
  const scopes = permissions.map((name) => Scope[name.toUpperCase() as Uppercase<typeof name>]);
  const caller = create(CallerSchema, { ...ownedAi(uuid, owner ?? ''), address, scopes });
  return { uuid, id: printId('ai', uuid), address, key, caller };
}

/** Inserts an app and returns its uuid. */
export async function addApp(home: TestIdentity, { name = 'Calendar', minors = true } = {}): Promise<string> {
  const id = newUuid();
  await home.run(sql`
    insert into identity.apps (id, name, contact_email, minors, signing_secret, created_at)
    values (${id}, ${name}, 'x@example.com', ${minors}, ${Buffer.from('sealed')}, ${nowDate(home.clock)})`);
  return id;
}

/** An app on its own. */
export function appCaller(app: string): Caller {
  return asApp(app, { name: 'Calendar', scopes: allScopes });
}

/** An app acting for a person that it holds. */
export function throughApp(person: TestPerson, app = person.app!): Caller {
  return create(CallerSchema, {
    ...person.caller,
    app,
    session: '',
    authenticatedAt: 0n,
    proof: Proof.TAP,
    via: Via.APP,
  });
}

/** A person's AI as the gateway knows it by its key. */
export function ownedAi(uuid: string, owner: string, more: { grant?: string; app?: string } = {}): Caller {
  return create(CallerSchema, {
    kind: CallerKind.AI,
    id: uuid,
    person: owner,
    aiStatus: AiStatus.CLAIMED,
    scopes: [Scope.READ, Scope.MESSAGE],
    via: Via.API,
    ...more,
  });
}

export interface TestGroup {
  id: string;
  handle: string;
  name: string;
  members: Set<string>;
}

export function addGroup(
  { world }: TestIdentity,
  members: Pick<TestPerson, 'uuid'>[],
  more: { handle?: string; name?: string; groupAi?: string; app?: string; archived?: boolean } = {},
): TestGroup {
  const group = world.newGroup([], more);
  for (const { uuid } of members) group.members.add(uuid);
  const { id, handle, name } = group.facts;
  return { id, handle, name, members: group.members };
}
