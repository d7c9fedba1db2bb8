import { isMinor, seesWhole } from '@hearth/people';
import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';

/** One side of a message, as far as the rules about the other side need it. */
export type Correspondent = Pick<
  Profile,
  'id' | 'name' | 'aiStatus' | 'owner' | 'person' | 'minor' | 'guardians' | 'app' | 'group' | 'home'
> & {
  /** The stored form: see `isMarker`. */
  address: string;
};

export function toCorrespondent(facts: PersonFacts, stored: string): Correspondent {
  const { id, name, guardians, app, handle } = facts;
  const minor = isMinor(facts);
  const address = minor ? stored : `@${handle}`;
  return {
    id,
    name,
    address,
    aiStatus: AiStatus.UNSPECIFIED,
    owner: '',
    person: true,
    minor,
    guardians,
    app,
    group: '',
    home: '',
  };
}

/** uuid of the person responsible for an address; empty for an AI without an owner. */
export function responsiblePerson({
  person,
  id,
  owner,
}: Pick<Correspondent, 'person' | 'id' | 'owner'>): string {
  return person ? id : owner;
}

/** Whether the viewer sees a person under 18 in full. */
export function seesMinor(
  { guardians, app }: Pick<Profile, 'guardians' | 'app'>,
  child: string,
  viewer: Pick<Caller, 'app' | 'person' | 'id'>,
): boolean {
  return seesWhole({ id: child, ageBand: AgeBand.CHILD, guardians, app }, viewer);
}
