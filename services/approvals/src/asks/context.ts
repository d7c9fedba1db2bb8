import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Approval, RelabelRequestResponseSchema } from '@hearth/proto/approvals/v1/approvals';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Call } from '@hearth/rpc';
import type { Host, HostParts } from '@hearth/runtime';
import type { ContactRules } from '../contact-rules/module.ts';
import type { RequestKindName } from '../shared/domain/request-kinds.ts';
import type { Background } from './actions/background.ts';
import type { Batched } from './actions/batched.ts';
import type { ApprovalMachine } from './actions/change-approval.ts';

/** Messages and invites that wait for a person, as far as the rpcs of approvals need them. */
export interface Elsewhere {
  /** The items that wait for a person, or at that AI of theirs. `person` is empty when the owner is a person. */
  count(owner: string, person: string, call: Call): Promise<{ count: number; oldest: Date | null }>;
  /**
   * Passes an invite that came to the front door on to the person.
   *
   * @throws not_found for an invite that does not wait for the caller
   */
  passInvite(id: string, note: string, call: Call): Promise<Approval>;
  /**
   * Says what kind of request a message or an invite is.
   *
   * @throws not_found for an item that does not wait for the caller
   */
  relabel(
    id: string,
    kind: RequestKindName,
    call: Call,
  ): Promise<MessageInitShape<typeof RelabelRequestResponseSchema>>;
}

export const peersOf = ({ peer }: Host) => ({
  identity: peer('identity', IdentityService),
  people: peer('identity', PeopleService),
  ais: peer('identity', AisService),
  groups: peer('groups', GroupsService),
  records: peer('federation', RecordsService),
  federation: peer('federation', FederationService),
  delivery: peer('delivery', DeliveryService),
});

export interface Deps {
  rules: ContactRules;
  elsewhere: () => Elsewhere;
}

export type AskParts = HostParts<
  'config' | 'homeNames' | 'http' | 'limiter' | 'log' | 'outbox' | 'people' | 'random' | 'sealer'
>;

export type Context = AskParts &
  Deps & {
    peers: ReturnType<typeof peersOf>;
    approvals: ApprovalMachine;
    batched: Batched;
    background: Background;
  };
