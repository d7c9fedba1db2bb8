import { create, type DescService } from '@bufbuild/protobuf';
import { internal, unavailable } from '@hearth/errors';
import { systemRandom } from '@hearth/ids';
import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import { DeliveryService, type SendMailRequest } from '@hearth/proto/delivery/v1/delivery';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { type KeepRecordRequest, RecordsService } from '@hearth/proto/federation/v1/records';
import { type GroupFacts, GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import { AiFactsSchema, AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService, type PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Handlers } from '@hearth/rpc';
import type { ServiceDefinition } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import { generateKeyPair, type KeyPair, signBytes, signRecord } from '@hearth/signing';
import {
  invitationsHandlers,
  nothingWaits,
  requestMessagesHandlers,
  type WaitingElsewhere,
} from './waiting-elsewhere.ts';

/** What the other services of the home know, and what they were asked. */
export interface World {
  people: Map<string, PersonFacts>;
  /** By address. */
  ais: Map<string, Caller>;
  groups: Map<string, { facts: GroupFacts; members: Set<string> }>;
  records: Map<string, KeepRecordRequest & { signed: string }>;
  mails: SendMailRequest[];
  key: KeyPair;
  /** The home's, once it runs. */
  sealer?: Sealer;
  /** What waits in requests elsewhere, and what was done with it. */
  waiting: WaitingElsewhere;
  /** What is away now. */
  away: Set<'federation' | 'mail'>;
  /** The names of all rpcs that were called, in order. */
  calls: string[];
}

export function emptyWorld(): World {
  return {
    people: new Map(),
    ais: new Map(),
    groups: new Map(),
    records: new Map(),
    mails: [],
    key: generateKeyPair(systemRandom),
    waiting: nothingWaits(),
    away: new Set(),
    calls: [],
  };
}

export function standIns(world: World): ServiceDefinition[] {
  return [identity(world), groups(world), federation(world), delivery(world), messages(world)];
}

function identity(world: World): ServiceDefinition {
  const { people, ais } = world;
  const byId = () => new Map([...ais.values()].map((ai) => [ai.id, ai]));
  return {
    name: 'identity',
    async start(host) {
      host.serve(
        PeopleService,
        answering<typeof PeopleService>(world, {
          async findPeople({ ids, handles, emails }: Record<'ids' | 'handles' | 'emails', string[]>) {
            const byHandle = new Map([...people.values()].map((facts) => [facts.handle, facts]));
            const byEmail = new Map([...people.values()].map((facts) => [facts.email, facts]));
            const found = [
              ...ids.map((id) => people.get(id)),
              ...handles.map((one) => byHandle.get(one)),
              ...emails.map((one) => byEmail.get(one)),
            ];
            return { results: found.map((facts) => (facts === undefined ? {} : { facts })) };
          },
        }),
      );
      host.serve(
        IdentityService,
        answering<typeof IdentityService>(world, {
          async findProfiles({ addresses }: { addresses: string[] }) {
            const byHandle = new Map([...people.values()].map((facts) => [`@${facts.handle}`, facts]));
            return {
              results: addresses.map((address) => {
                const ai = ais.get(address);
                const person = byHandle.get(address);
                const owner = ai === undefined ? person : people.get(ai.person);
                const profile = ai ? aiProfile(ai) : person ? personProfile(person) : undefined;
                if (profile === undefined) return {};
                const { guardians = [], app = '', ageBand = AgeBand.ADULT } = owner ?? {};
                return { profile: { ...profile, guardians, app, minor: ageBand !== AgeBand.ADULT } };
              }),
            };
          },
        }),
      );
      host.serve(
        AisService,
        answering<typeof AisService>(world, {
          async findAis({ ids }: { ids: string[] }) {
            const known = byId();
            return {
              results: ids.map((id) => {
                const ai = known.get(id);
                if (ai === undefined) return {};
                const { address, name, aiStatus: status, person: owner, scopes } = ai;
                return {
                  facts: create(AiFactsSchema, {
                    id,
                    address,
                    name,
                    status,
                    owner,
                    permissions: scopes,
                  } as never),
                };
              }),
            };
          },
        }),
      );
    },
  };
}

const aiProfile = ({ id, address, name, aiStatus, person }: Caller) => ({
  id,
  address,
  name,
  aiStatus,
  owner: person,
});

const personProfile = ({ id, handle, name }: PersonFacts) => ({
  id,
  address: `@${handle}`,
  name,
  aiStatus: AiStatus.UNSPECIFIED,
  person: true,
});

function groups(world: World): ServiceDefinition {
  const find = (reference: string) =>
    [...world.groups.values()].find(
      ({ facts }) =>
        facts.id === reference ||
        `&${facts.handle}` === reference ||
        `grp_${facts.id.replaceAll('-', '')}` === reference,
    );
  return {
    name: 'groups',
    async start(host) {
      host.serve(
        InvitationsService,
        answering<typeof InvitationsService>(world, invitationsHandlers(world.waiting)),
      );
      host.serve(
        GroupsService,
        answering<typeof GroupsService>(world, {
          async findMembership({ group, person }: { group: string; person: string }) {
            const found = find(group);
            return found?.members.has(person) ? { group: found.facts } : {};
          },
          async findGroups({ ids }: { ids: string[] }) {
            return {
              results: ids.map((id) => {
                const found = world.groups.get(id);
                return found === undefined ? {} : { group: found.facts };
              }),
            };
          },
          async shareGroup({ pairs }: { pairs: { one: string; other: string }[] }) {
            const all = [...world.groups.values()];
            return {
              share: pairs.map(({ one, other }) =>
                all.some(({ members }) => members.has(one) && members.has(other)),
              ),
              shared: pairs.map(({ one, other }) => ({
                groups: all.flatMap(({ facts, members }) =>
                  members.has(one) && members.has(other) ? [facts.id] : [],
                ),
              })),
            };
          },
        }),
      );
    },
  };
}

function messages(world: World): ServiceDefinition {
  return {
    name: 'messages',
    async start(host) {
      world.sealer = host.sealer;
      host.serve(
        RequestMessagesService,
        answering<typeof RequestMessagesService>(world, requestMessagesHandlers(world.waiting)),
      );
    },
  };
}

/** Signs with a key of its own, and keeps what it signed first, as the real one does. */
function federation(world: World): ServiceDefinition {
  return {
    name: 'federation',
    async start(host) {
      host.serve(
        RecordsService,
        answering<typeof RecordsService>(world, {
          async keepRecord(request: KeepRecordRequest) {
            if (world.away.has('federation')) throw unavailable('federation is away');
            const kept = world.records.get(request.id);
            if (kept !== undefined) return { json: kept.signed };
            const signed = JSON.stringify(
              signRecord(JSON.parse(request.json), { key: world.key, typ: 'svc-record+jws' }),
            );
            world.records.set(request.id, { ...request, signed });
            return { json: signed };
          },
        }),
      );
      host.serve(
        FederationService,
        answering<typeof FederationService>(world, {
          async signWebhook({ id, timestamp, body }: { id: string; timestamp: bigint; body: Uint8Array }) {
            if (world.away.has('federation')) throw unavailable('federation is away');
            const bytes = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
            return { signature: `v1a,${signBytes(world.key.privateKey, bytes).toString('base64')}` };
          },
        }),
      );
    },
  };
}

function delivery(world: World): ServiceDefinition {
  return {
    name: 'delivery',
    async start(host) {
      host.serve(
        DeliveryService,
        answering<typeof DeliveryService>(world, {
          async sendMail(request: SendMailRequest) {
            if (world.away.has('mail')) throw unavailable('the mail server is away');
            world.mails.push(request);
            return {};
          },
        }),
      );
    },
  };
}

/** These handlers; whatever else approvals called would fail the test. */
function answering<S extends DescService>({ calls }: World, handlers: object): Handlers<S> {
  return new Proxy(handlers, {
    get(target, name) {
      const handler = Reflect.get(target, name);
      return async (...given: unknown[]) => {
        calls.push(String(name));
        if (handler === undefined) throw internal(`approvals calls ${String(name)}`);
        return await handler(...given);
      };
    },
  }) as Handlers<S>;
}
