import type { Idempotency } from '@hearth/idempotency';
import type { UnitOfWork } from '@hearth/outbox';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller, Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { ContactPolicy } from './actions/contact-policy.ts';

/** The approvals that proposals of rules are asked with. */
export interface ProposalAsks {
  /** Answers the approval for the caller. @throws bad_request (already_settled), forbidden (needs_person) */
  answer(id: string, answer: { decision: 'approved' | 'declined' }, caller: Caller): Promise<unknown>;
  /** Settles an expired approval. */
  expire(id: string): Promise<void>;
  /** Asks the person, in one transaction with `write`; returns false, and writes nothing, if `write` does. */
  askAboutRules(
    ask: { id: string; title: string; details: string; asked_at: Date; expires_at: Date },
    person: PersonFacts,
    caller: Caller,
    write: (tx: UnitOfWork) => Promise<boolean>,
  ): Promise<boolean>;
}

export type PolicyContext = Pick<Host, 'clock' | 'database' | 'homeNames' | 'people'> & {
  ais: Client<typeof AisService>;
  groups: Client<typeof GroupsService>;
};

export type Context = PolicyContext &
  Pick<Host, 'commit' | 'ids'> & {
    asks: () => ProposalAsks;
    /** Idempotency of `propose_request_rules`. */
    idempotency: Idempotency<{ proposal: string }>;
    identity: Client<typeof IdentityService>;
    policy: ContactPolicy;
  };
