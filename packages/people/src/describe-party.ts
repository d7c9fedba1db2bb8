import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import { AiStatus, AiStatusSchema } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';

/** A local person or AI. */
export interface HomeParty {
  /** uuid */
  id: string;
  ai: boolean;
  name: string;
  verified: boolean;
  /** An AI's status. */
  aiStatus: AiStatus;
}

const statuses = enumNames(AiStatusSchema);

/** The party as other homes read it, in the `sender` of an item. */
export function describeParty({ id, ai, name, verified, aiStatus }: HomeParty) {
  return {
    id: printId(ai ? 'ai' : 'per', id),
    kind: ai ? 'ai' : 'person',
    name,
    name_verified: verified,
    status: ai ? statuses.nameOf(aiStatus || AiStatus.UNCLAIMED) : 'person',
    // A claimed AI has an owner, who is named only where they act through it.
    ...(ai && aiStatus === AiStatus.CLAIMED && { owner_private: true }),
  };
}

/** A local person, as other homes read it. */
export function describePerson({ guest, id, name }: Pick<PersonFacts, 'guest' | 'id' | 'name'>) {
  return describeParty({ id, ai: false, name, verified: !guest, aiStatus: AiStatus.UNSPECIFIED });
}
