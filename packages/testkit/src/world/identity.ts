import type { MessageInitShape } from '@bufbuild/protobuf';
import { badField } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { type AiFacts, AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService, type ProfileSchema } from '@hearth/proto/identity/v1/identity';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { PeopleService, type PersonFacts, type PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Host } from '@hearth/runtime';
import { type Fake, fake } from '../fake-peers.ts';
import { ids } from '../ids.ts';
import type { Registry } from './world.ts';

type Profile = MessageInitShape<typeof ProfileSchema>;

export function identityFakes(
  { people, ais, parties, sharedNotes }: Registry,
  started: (host: Host) => void,
): Fake[] {
  const personBy = (field: 'handle' | 'email') => (value: string) =>
    [...people.values()].find((person) => person[field] === value);

  function aiProfile({ id, address, name, status, owner, group, ownerPrivate }: AiFacts): Profile {
    const known = people.get(owner);
    const { guardians, app } = known ?? {};
    const minor = known !== undefined && isMinor(known);
    return { id, address, name, aiStatus: status, owner, group, ownerPrivate, minor, guardians, app };
  }

  function personProfile(person: PersonFacts): Profile {
    const { id, handle, name, guardians, app } = person;
    return { id, address: `@${handle}`, name, person: true, minor: isMinor(person), guardians, app };
  }

  function profileOf(ai: AiFacts | undefined, person: PersonFacts | undefined): Profile | undefined {
    if (ai !== undefined && !ai.revoked) return aiProfile(ai);
    return person === undefined ? undefined : personProfile(person);
  }

  const profileAt = (address: string) =>
    profileOf(
      [...ais.values()].find((ai) => ai.address === address),
      address.startsWith('@') ? personBy('handle')(address.slice(1)) : undefined,
    );

  const partyProfile = (one: (party: Profile) => boolean) => [...parties.values()].find(one);

  /** A person of another home, as services see them. */
  function elsewhere(
    one: (party: Profile) => boolean,
  ): MessageInitShape<typeof PersonFactsSchema> | undefined {
    const party = partyProfile(one);
    if (party?.person !== true) return undefined;
    const { id, name, home, address } = party;
    return { id, name, home, handle: address?.slice(0, address.indexOf('@')), ageBand: AgeBand.ADULT };
  }

  return [
    fake(PartiesService, {
      meetParty: async ({ address, senderJson }) => {
        const known = parties.get(address);
        const said = senderJson === '' ? {} : JSON.parse(senderJson);
        if (said.name?.length > 100) throw badField('name', 'must have 1 to 100 characters');
        const profile: Profile = {
          id: known?.id ?? ids.uuid(),
          address,
          home: address.slice(address.indexOf('@') + 1),
          name: said.name ?? known?.name ?? address,
          person: !address.includes('.ai-'),
          aiStatus: said.status === 'claimed' ? AiStatus.CLAIMED : AiStatus.UNSPECIFIED,
        };
        parties.set(address, profile);
        return { profile };
      },
    }),
    fake(PeopleService, (host) => {
      started(host);
      return {
        findPeople: async ({ ids, handles, emails }) => ({
          results: [
            ...ids.map((id) => people.get(id) ?? elsewhere((party) => party.id === id)),
            ...handles.map(
              (handle) => personBy('handle')(handle) ?? elsewhere(({ address }) => address === handle),
            ),
            ...emails.map(personBy('email')),
          ].map((facts) => (facts === undefined ? {} : { facts })),
        }),
      };
    }),
    fake(IdentityService, {
      findProfiles: async ({ addresses, ids }) => ({
        results: [
          ...addresses.map((address) => parties.get(address) ?? profileAt(address)),
          ...ids.map(
            (id) => profileOf(ais.get(id), people.get(id)) ?? partyProfile((party) => party.id === id),
          ),
        ].map((profile) => (profile === undefined ? {} : { profile })),
      }),
      noteWakes: async () => ({}),
    }),
    fake(NotesService, {
      findSharedNotes: async ({ group, people: asked }) => ({
        notes: sharedNotes.filter((note) => note.group === group && asked.includes(note.person)),
      }),
    }),
    fake(AisService, {
      findRepresented: async ({ people: asked, permission }) => ({
        people: [...ais.values()].flatMap(({ owner, permissions, revoked }) =>
          !revoked && asked.includes(owner) && permissions.includes(permission) ? [owner] : [],
        ),
      }),
      findAis: async ({ ids }) => ({
        results: ids.map((id) => {
          const facts = ais.get(id);
          return facts === undefined ? {} : { facts };
        }),
      }),
    }),
  ];
}
