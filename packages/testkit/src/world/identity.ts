import type { MessageInitShape } from '@bufbuild/protobuf';
import { isMinor } from '@hearth/people';
import { type AiFacts, AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService, type ProfileSchema } from '@hearth/proto/identity/v1/identity';
import { PeopleService, type PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import { type Fake, fake } from '../fake-peers.ts';
import type { Registry } from './world.ts';

type Profile = MessageInitShape<typeof ProfileSchema>;

export function identityFakes({ people, ais }: Registry, started: (host: Host) => void): Fake[] {
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

  return [
    fake(PeopleService, (host) => {
      started(host);
      return {
        findPeople: async ({ ids, handles, emails }) => ({
          results: [
            ...ids.map((id) => people.get(id)),
            ...handles.map(personBy('handle')),
            ...emails.map(personBy('email')),
          ].map((facts) => (facts === undefined ? {} : { facts })),
        }),
      };
    }),
    fake(IdentityService, {
      findProfiles: async ({ addresses, ids }) => ({
        results: [
          ...addresses.map(profileAt),
          ...ids.map((id) => profileOf(ais.get(id), people.get(id))),
        ].map((profile) => (profile === undefined ? {} : { profile })),
      }),
      noteWakes: async () => ({}),
    }),
    fake(AisService, {
      findAis: async ({ ids }) => ({
        results: ids.map((id) => {
          const facts = ais.get(id);
          return facts === undefined ? {} : { facts };
        }),
      }),
    }),
  ];
}
