import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { isMinor, peopleSignal, shieldId, viewerOf } from '@hearth/people';
import type { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { ReachedSchema } from '@hearth/proto/approvals/v1/request_rules';
import { AiStatus, type Caller, type CallerSchema } from '@hearth/proto/common/v1/caller';
import { type GroupFacts, GroupFactsSchema } from '@hearth/proto/groups/v1/groups';
import { type AiFacts, AiFactsSchema } from '@hearth/proto/identity/v1/ais';
import type { ProfileSchema } from '@hearth/proto/identity/v1/identity';
import { type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import type { Host } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import { asAi } from '../callers.ts';
import type { Fake } from '../fake-peers.ts';
import { ids } from '../ids.ts';
import { approvalsFakes } from './approvals.ts';
import { deliveryFakes } from './delivery.ts';
import { federationFakes, type Signer } from './federation.ts';
import { groupsFakes } from './groups.ts';
import { identityFakes } from './identity.ts';

export interface FakeGroup {
  facts: GroupFacts;
  /** uuids of people */
  members: Set<string>;
  /** uuids of the members who organize it. */
  organizers: Set<string>;
}

/** A test's people, AIs and groups, and fakes of the services that know them. */
export interface World extends Registry {
  /** FindPeople, FindProfiles, FindAis, NoteWakes */
  readonly identity: readonly Fake[];
  /** FindMembership, FindGroups, ListGroupIds, ShareGroup */
  readonly groups: readonly Fake[];
  /** Sign, SignWebhook, KeepRecord, with its own key */
  readonly federation: readonly Fake[];
  /** SendMail; `peers.requestsOf(DeliveryService.method.sendMail)` has the mails */
  readonly delivery: readonly Fake[];
  /** CheckReach, FindAccepted; from `reach` and `accepts` */
  readonly approvals: readonly Fake[];
  readonly signer: Signer;
  /** Adds a person, an adult by default. */
  newPerson(facts?: MessageInitShape<typeof PersonFactsSchema>): PersonFacts;
  /** Adds an AI of this person or group, or without an owner. */
  newAi(of?: PersonFacts | FakeGroup, facts?: MessageInitShape<typeof AiFactsSchema>): AiFacts;
  newGroup(members?: readonly PersonFacts[], facts?: MessageInitShape<typeof GroupFactsSchema>): FakeGroup;
  /** Changes identity's facts about a person, and sends the signal `people`. */
  changePerson(person: Pick<PersonFacts, 'id'>, facts: Partial<PersonFacts>): void;
  /** Deletes a person's account, and sends the signal `people`. */
  deletePerson(person: Pick<PersonFacts, 'id'>): void;
  /** Changes identity's facts about an AI, its address included, and sends the signal `credentials`. */
  changeAi(ai: Pick<AiFacts, 'id'>, facts: Partial<AiFacts>): void;
  /** Returns the AI as a caller, with its owner's `minor`. */
  asAi(ai: AiFacts, fields?: MessageInitShape<typeof CallerSchema>): Caller;
  /** The id under which a viewer sees a person under 18. */
  shieldedFor(viewer: Caller, person: Pick<PersonFacts, 'id'>): string;
}

/** The state itself, which a test may change at any time. */
export interface Registry {
  /** By uuid. */
  readonly people: Map<string, PersonFacts>;
  /** By uuid. */
  readonly ais: Map<string, AiFacts>;
  /** By uuid. */
  readonly groupsById: Map<string, FakeGroup>;
  /** Names of blocked homes. */
  readonly blockedHomes: Set<string>;
  /** Names of homes whose keys are unavailable. */
  readonly awayKeys: Set<string>;
  /** Remote people and AIs, by address. */
  readonly parties: Map<string, MessageInitShape<typeof ProfileSchema>>;
  /** Notes that people share with groups. */
  readonly sharedNotes: { group: string; person: string; about: string; text: string }[];
  /** How requests reach a recipient, by uuid; the inbox by default. */
  readonly reach: Map<string, MessageInitShape<typeof ReachedSchema>>;
  /** The kinds of requests that a person accepts, by uuid; none by default. */
  readonly accepts: Map<string, RequestKind[]>;
}

export interface WorldOptions {
  /** Facts of every new person unless a test overrides them: `{ app, timeZone: 'Europe/Zurich' }`. */
  person?: Omit<Partial<PersonFacts>, '$typeName' | '$unknown'>;
}

export function createWorld(options: WorldOptions = {}): World {
  const registry: Registry = {
    people: new Map(),
    ais: new Map(),
    groupsById: new Map(),
    blockedHomes: new Set(),
    awayKeys: new Set(),
    parties: new Map(),
    sharedNotes: [],
    reach: new Map(),
    accepts: new Map(),
  };
  let bus: Bus | undefined;
  let sealer: Sealer | undefined;
  const rememberHost = (host: Host) => {
    ({ bus, sealer } = host);
  };
  const federation = federationFakes(registry);
  let made = 0;
  const signal = (subject: string, id: string) => bus?.signal(subject, Buffer.from(id));

  return {
    ...registry,
    identity: identityFakes(registry, rememberHost),
    groups: groupsFakes(registry, rememberHost),
    federation: federation.fakes,
    delivery: deliveryFakes(),
    approvals: approvalsFakes(registry),
    signer: federation.signer,
    newPerson(facts = {}) {
      made += 1;
      const person = create(PersonFactsSchema, {
        id: ids.uuid(),
        handle: `person-${made}`,
        name: `Ada Lovelace ${made}`,
        ageBand: AgeBand.ADULT,
        timeZone: 'UTC',
        ...options.person,
        ...facts,
      });
      registry.people.set(person.id, person);
      signal(peopleSignal, person.id);
      return person;
    },
    newAi(of, facts = {}) {
      made += 1;
      const [owner, group] = of !== undefined && 'members' in of ? [undefined, of] : [of, undefined];
      const handle = owner?.handle ?? `free-${made}`;
      const ai = create(AiFactsSchema, {
        id: ids.uuid(),
        address: group === undefined ? `@${handle}.ai-robin-${made}` : `&${group.facts.handle}.ai-group`,
        name: `Robin ${made}`,
        status: of === undefined ? AiStatus.UNCLAIMED : AiStatus.CLAIMED,
        permissions: [Scope.READ, Scope.MESSAGE],
        owner: owner?.id ?? '',
        group: group?.facts.id ?? '',
        ...facts,
      });
      registry.ais.set(ai.id, ai);
      return ai;
    },
    newGroup(members = [], facts = {}) {
      made += 1;
      const group = {
        facts: create(GroupFactsSchema, {
          id: ids.uuid(),
          handle: `group-${made}`,
          name: `Book club ${made}`,
          app: options.person?.app ?? '',
          ...facts,
        }),
        members: new Set(members.map(({ id }) => id)),
        organizers: new Set<string>(),
      };
      registry.groupsById.set(group.facts.id, group);
      return group;
    },
    changePerson({ id }, facts) {
      Object.assign(registry.people.get(id)!, facts);
      signal(peopleSignal, id);
    },
    deletePerson({ id }) {
      registry.people.delete(id);
      signal(peopleSignal, id);
    },
    changeAi({ id }, facts) {
      Object.assign(registry.ais.get(id)!, facts);
      signal('credentials', id);
    },
    asAi(ai, fields = {}) {
      const owner = registry.people.get(ai.owner);
      return asAi(ai, { minor: owner !== undefined && isMinor(owner), ...fields });
    },
    shieldedFor: (viewer, { id }) => shieldId(sealer!, viewerOf(viewer), id),
  };
}
