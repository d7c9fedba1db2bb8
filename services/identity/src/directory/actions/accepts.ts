import { isMinor } from '@hearth/people';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Call, Client } from '@hearth/rpc';
import type { AiRow } from '../../shared/db/ais.ts';
import { shownOwner } from '../../shared/domain/to-proto.ts';
import { rulesTopic } from '../../shared/domain/topics.ts';
import type { Visibility } from '../../shared/domain/visibility.ts';

/** The kinds of request that a person or AI does not turn away, as their cards say it. */
export interface Accepts {
  ofAi(ai: AiRow, visibility: Visibility, call: Call): Promise<RequestKind[]>;
  ofPerson(facts: PersonFacts, call: Call): Promise<RequestKind[]>;
}

/** For an AI without an owner. */
export const everyKind: readonly RequestKind[] = [
  RequestKind.PERSONAL,
  RequestKind.INTRODUCTION,
  RequestKind.RECRUITING,
  RequestKind.SALES,
  RequestKind.OFFER,
  RequestKind.OTHER,
];

/**
 * The same for every viewer, so that a card tells no one that they are blocked. Empty where the owner is private: two
 * cards that change at once would give them away.
 */
export function createAccepts(rules: Pick<Client<typeof RequestRulesService>, 'findAccepted'>): Accepts {
  async function ofAdult(person: string, call: Call): Promise<RequestKind[]> {
    const { results } = await rules.findAccepted({ people: [person] }, { call });
    call.validFor(answerHoldsMs, rulesTopic(person));
    return results[0]?.kinds ?? [];
  }

  return {
    async ofAi(ai, visibility, call) {
      if (ai.groupId !== null || ai.ownerMinor) return [];
      if (ai.owner === null) return [...everyKind];
      const owner = shownOwner(ai, visibility);
      return owner === null ? [] : await ofAdult(owner, call);
    },
    ofPerson: async (facts, call) => (isMinor(facts) ? [] : await ofAdult(facts.id, call)),
  };
}

const answerHoldsMs = 60_000;
