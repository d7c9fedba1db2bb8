import { isMinor } from '@hearth/people';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { AiRow } from '../../shared/db/ais.ts';
import { shownOwner } from '../../shared/domain/to-proto.ts';
import type { Visibility } from '../../shared/domain/visibility.ts';

/** The kinds of request that an AI without an owner accepts. */
export const everyKind: readonly RequestKind[] = [
  RequestKind.PERSONAL,
  RequestKind.INTRODUCTION,
  RequestKind.RECRUITING,
  RequestKind.SALES,
  RequestKind.OFFER,
  RequestKind.OTHER,
];

/** The accepted kinds of request, or the person (uuid) whose contact rules determine them. */
export interface Accepts {
  accepts: RequestKind[];
  acceptsOf: string;
}

const untold: Accepts = { accepts: [], acceptsOf: '' };

/** Accepts no kind, which the card expresses as `none`. */
const none: Accepts = { accepts: [RequestKind.UNSPECIFIED], acceptsOf: '' };

/**
 * Equal for every viewer, so that the card does not reveal a block. Omitted for a private owner: two cards
 * that change at the same moment would reveal the link.
 */
export function acceptsOfAi(ai: AiRow, visibility: Visibility): Accepts {
  if (ai.groupId !== null) return untold;
  if (ai.owner === null) return { accepts: [...everyKind], acceptsOf: '' };
  const owner = shownOwner(ai, visibility);
  if (owner === null) return untold;
  return ai.ownerMinor ? none : { accepts: [], acceptsOf: owner };
}

export function acceptsOfPerson(facts: PersonFacts): Accepts {
  return isMinor(facts) ? none : { accepts: [], acceptsOf: facts.id };
}
