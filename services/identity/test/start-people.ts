import { setTimeout as sleep } from 'node:timers/promises';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { sql } from '@hearth/db';
import type { HearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { shieldId } from '@hearth/people';
import { type Caller, CallerSchema, Proof, Via } from '@hearth/proto/common/v1/caller';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import {
  type DropPersonResponseSchema,
  GroupsService,
  type ListGroupIdsResponseSchema,
} from '@hearth/proto/groups/v1/groups';
import { type CreatePersonRequestSchema, PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand, type Person } from '@hearth/proto/identity/v1/resources';
import { type ListContactsResponseSchema, MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind } from '@hearth/proto/options';
import type { ServiceDefinition } from '@hearth/runtime';
import { asApp, type EventCase, fake, fakePeers, startService } from '@hearth/testkit';
import { createPeopleContext } from '../src/people/module.ts';
import { identity } from '../src/service.ts';
import { createParts } from '../src/shared/actions/parts.ts';

/** The answers of the fakes around identity. */
export interface Around {
  /** uuids of two people who share a group, as "one other". */
  sharing: Set<string>;
  groupsOf: Map<string, MessageInitShape<typeof ListGroupIdsResponseSchema>>;
  contactsOf: Map<string, MessageInitShape<typeof ListContactsResponseSchema>>;
  /** The answer of DropPerson for each person. */
  drops: Map<string, MessageInitShape<typeof DropPersonResponseSchema>>;
}

export type TestPeople = Awaited<ReturnType<typeof startPeople>>;

export const start = '2026-03-01T12:00:00.000Z';

/** Identity as it stands, among fakes of its peers. */
export async function startPeople(
  env: Record<string, string> = {},
  beside: readonly ServiceDefinition[] = [],
) {
  const around: Around = {
    sharing: new Set(),
    groupsOf: new Map(),
    contactsOf: new Map(),
    drops: new Map(),
  };
  const { sharing, groupsOf, contactsOf, drops } = around;
  const peers = fakePeers(
    fake(GroupsService, {
      shareGroup: async ({ pairs }) => ({
        share: pairs.map(({ one, other }) => sharing.has(`${one} ${other}`)),
      }),
      findMembership: async ({ group, person }) =>
        sharing.has(`${group} ${person}`) ? { group: { id: group } } : {},
      listGroupIds: async ({ person }) => groupsOf.get(person) ?? {},
      dropPerson: async ({ person }) => drops.get(person) ?? {},
    }),
    fake(MessagesService, { listContacts: async ({ owner }) => contactsOf.get(owner) ?? {} }),
  );
  const home = await startService([identity, ...beside], {
    peers,
    clock: start,
    env: {
      HEARTH_SITE_URL: 'https://hearth.example',
      HEARTH_TIME_ZONE: 'Europe/Zurich',
      HEARTH_CONSENT_AGES: '{"default":16,"US":13,"AT":14}',
      ...env,
    },
  });
  const signalled: string[] = [];
  for (const subject of ['people', 'credentials']) {
    home.bus.onSignal(subject, (payload) => signalled.push(`${subject} ${Buffer.from(payload)}`));
  }
  const host = home.host('identity');
  return {
    ...home,
    client: { ...home.client(PeopleService), ...home.client(ProfileService) },
    fromGroups: home.client(PeopleService, 'groups'),
    /** The context of the rpcs and jobs about people. */
    context: createPeopleContext(host, { ...createParts(host), claimGuest: async () => ({}) }),
    around,
    /** Signals that were sent: "people <uuid>", "credentials <uuid>". */
    signalled,
    /** The id under which that viewer (uuid) knows a minor. */
    shieldedFor: (viewer: string, person: string) => shieldId(home.sealer, viewer, person),
  };
}

export interface TestApp {
  uuid: string;
  /** The app's own key. */
  caller: Caller;
  /** The app acting for a person. */
  actingFor(person: string): Caller;
}

/** An app of the home. */
export async function newApp(
  { database, ids, clock }: TestPeople,
  { minors = true }: { minors?: boolean } = {},
): Promise<TestApp> {
  const uuid = ids.uuid();
  await database.statement((tx) =>
    tx.execute(sql`
      insert into identity.apps (id, name, contact_email, minors, signing_secret, created_at)
      values (${uuid}, 'App', 'app@example.org', ${minors}, ${Buffer.alloc(1)}, ${nowDate(clock)})`),
  );
  return {
    uuid,
    caller: asApp(uuid, { name: 'App' }),
    actingFor: (person) =>
      create(CallerSchema, {
        kind: CallerKind.PERSON,
        id: person,
        app: uuid,
        via: Via.APP,
        proof: Proof.TAP,
      }),
  };
}

export interface TestPerson {
  uuid: string;
  /** per_... */
  id: string;
  handle: string;
  person: Person;
  /** Signed in on the home's own pages, a moment ago. */
  web(options?: Partial<Pick<Caller, 'guest' | 'minor'>> & { authenticatedAt?: number }): Caller;
}

/** A person held by that app; an adult unless said otherwise. */
export async function newPerson(
  { client, clock }: TestPeople,
  app: TestApp,
  wanted: MessageInitShape<typeof CreatePersonRequestSchema> = {},
): Promise<TestPerson> {
  const person = await client.createPerson(
    {
      name: 'Ann Smith',
      ...(wanted.birthYearMonth === undefined && { ageBand: AgeBand.ADULT }),
      ...wanted,
    },
    { caller: app.caller },
  );
  const uuid = parseId('per', person.id)!;
  return {
    uuid,
    id: person.id,
    handle: person.handle!,
    person,
    web: ({ authenticatedAt = clock.now(), ...rest } = {}) =>
      webCaller(uuid, { authenticatedAt, minor: person.ageBand !== AgeBand.ADULT, ...rest }),
  };
}

export function webCaller(
  uuid: string,
  {
    authenticatedAt = 0,
    ...rest
  }: Partial<Pick<Caller, 'guest' | 'minor'>> & { authenticatedAt?: number } = {},
): Caller {
  return create(CallerSchema, {
    kind: CallerKind.PERSON,
    id: uuid,
    session: uuid,
    via: Via.WEB,
    proof: Proof.PASSKEY,
    authenticatedAt: BigInt(authenticatedAt),
    ...rest,
  });
}

/** An AI of a person. */
export function aiOf(person: string, ai = person): Caller {
  return create(CallerSchema, { kind: CallerKind.AI, id: ai, person, via: Via.API });
}

/** The events of that type since the start, the oldest first. */
export const announced = <Case extends EventCase>(home: TestPeople, type: Case) =>
  home.events('identity', type);

/** Why a call failed: its kind and code. */
export async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    const { kind, details } = error as HearthError;
    return `${kind} ${details?.code}`;
  }
}

/** The words with which a call fails. */
export async function words(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Resolves once that signal was heard; signals travel apart from answers. */
export async function heard({ signalled }: TestPeople, signal: string): Promise<void> {
  for (let tries = 0; !signalled.includes(signal); tries += 1) {
    if (tries === 200) throw new Error(`${signal} was not heard`);
    await sleep(10);
  }
}
