import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import { AiStatus, AiStatusSchema } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';

/** A person or an AI of this home. */
export interface HomeParty {
  /** uuid */
  id: string;
  ai: boolean;
  name: string;
  verified: boolean;
  /** The status of an AI. */
  aiStatus: AiStatus;
}

const statuses = enumNames(AiStatusSchema);

/** The party as other homes read it, in `sender` of an item. */
export function describeParty({ id, ai, name, verified, aiStatus }: HomeParty) {
  return {
    id: printId(ai ? 'ai' : 'per', id),
    kind: ai ? 'ai' : 'person',
    name,
    name_verified: verified,
    status: ai ? statuses.nameOf(aiStatus || AiStatus.UNCLAIMED) : 'person',
    // A person answers for it, who is named where the person acts by it alone.
    ...(ai && aiStatus === AiStatus.CLAIMED && { owner_private: true }),
  };
}

/** A person of this home, as the others read of them. */
export function describePerson({ guest, id, name }: Pick<PersonFacts, 'guest' | 'id' | 'name'>) {
  return describeParty({ id, ai: false, name, verified: !guest, aiStatus: AiStatus.UNSPECIFIED });
}
