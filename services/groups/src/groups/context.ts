import type { HomeThings } from '@hearth/home-acts';
import type { Idempotency } from '@hearth/idempotency';
import type { UnitOfWork } from '@hearth/outbox';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { GroupMachine } from './actions/group-machine.ts';
import type { GroupCopies } from './actions/home-groups.ts';

export type Context = HostParts<'homeNames' | 'log' | 'people'> & {
  groups: GroupMachine;
  identity: Pick<Client<typeof PeopleService>, 'findPeople'>;
  ais: Pick<Client<typeof AisService>, 'ensureGroupAi'>;
  /** uuid of the group that each create_group made. */
  idempotency: Idempotency<{ id: string }>;
  joinRequests: JoinRequests;
  things: Pick<HomeThings, 'beganAnew'>;
  /** Copies of remote groups. */
  copies: GroupCopies;
};

/** Ends the join requests of an account or a group. */
export interface JoinRequests {
  withdrawAll(person: string, before?: Date): Promise<void>;
  cancelOfGroup(tx: UnitOfWork, group: string): Promise<void>;
}
