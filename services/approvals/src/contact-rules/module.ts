import { day } from '@hearth/clock';
import type { UnitOfWork } from '@hearth/outbox';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { RequestKindName } from '../shared/domain/request-kinds.ts';
import { type ContactPolicy, createContactPolicy } from './actions/contact-policy.ts';
import { relabel } from './actions/relabel.ts';
import { type SettledProposal, settleProposal } from './actions/settle-proposal.ts';
import { onAccountDeleted } from './consumers/on-account-deleted.ts';
import { onPartiesBeganAnew } from './consumers/on-parties-began-anew.ts';
import type { Context, ProposalAsks } from './context.ts';
import { findRules } from './db/rules.ts';
import type { RuleAction } from './domain/rules.ts';
import { purgeCounts } from './jobs/purge-counts.ts';

export type { ContactAttempt } from './actions/contact-policy.ts';
export { forgetInbox, rememberSender } from './db/senders.ts';
export { readStanding } from './db/standing.ts';
export { refuses } from './domain/rules.ts';

/** The contact rules, as the other modules of this service use them. */
export interface ContactRules extends ContactPolicy {
  /** Labels the sender with that kind for the person. Returns the action of the person's rule for the kind. */
  relabel(person: string, sender: string, kind: RequestKindName): Promise<RuleAction>;
  /** uuid of the AI at the person's front door; null if they chose none. */
  frontDoorOf(person: string): Promise<string | null>;
  /** Applies the outcome of a proposal to the rules. */
  settleProposal(tx: UnitOfWork, settled: SettledProposal, caller: Caller | undefined): Promise<void>;
}

export async function startContactRules(host: Host, asks: () => ProposalAsks): Promise<ContactRules> {
  const parts = {
    ...host,
    ais: host.peer('identity', AisService),
    groups: host.peer('groups', GroupsService),
  };
  const policy = createContactPolicy(parts);
  const identity = host.peer('identity', IdentityService);
  const context: Context = { ...parts, asks, identity, policy, idempotency: host.idempotency('request_ids') };
  await host.serveRpcs(RequestRulesService, import.meta.url, context);
  host.consume(onAccountDeleted(context));
  host.consume(onPartiesBeganAnew(context));
  host.every('purge-counts', day, () => purgeCounts(context));
  return {
    ...policy,
    relabel: (...wanted) => relabel(context, ...wanted),
    frontDoorOf: async (person) =>
      (await findRules(host.database.db, [person])).get(person)?.frontDoor ?? null,
    settleProposal,
  };
}
