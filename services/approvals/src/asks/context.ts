import type { ReceivedActs, SentActs } from '@hearth/home-acts';
import { createOtherHomes } from '@hearth/people';
import { CallbacksService } from '@hearth/proto/delivery/v1/callbacks';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { WaitingThingsService } from '@hearth/proto/federation/v1/waiting_things';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Reader } from '@hearth/proto-json';
import type { Signing } from '@hearth/receipts';
import type { Host, HostParts } from '@hearth/runtime';
import type { ContactRules } from '../contact-rules/module.ts';
import type { Requests } from '../requests/module.ts';
import type { Batched } from './actions/batched.ts';
import type { VerifyCallback } from './actions/callback-addresses.ts';
import type { ApprovalMachine } from './actions/change-approval.ts';
import type { KnownAis } from './actions/known-ais.ts';
import type { WholeApproval } from './db/whole-approvals.ts';

export const peersOf = ({ bus, clock, peer }: Host) => ({
  identity: peer('identity', IdentityService),
  people: peer('identity', PeopleService),
  ais: peer('identity', AisService),
  groups: peer('groups', GroupsService),
  records: peer('federation', RecordsService),
  homes: createOtherHomes({ homes: peer('federation', HomesService), bus, clock }),
  parties: peer('identity', PartiesService),
  callbacks: peer('delivery', CallbacksService),
  messages: peer('messages', MessagesService),
  /** The other services that hold things of other homes. */
  waiting: [peer('decisions', WaitingThingsService), peer('groups', WaitingThingsService)],
});

export interface Deps {
  rules: ContactRules;
  requests: Requests;
}

export type AskParts = HostParts<
  | 'config'
  | 'homeNames'
  | 'http'
  | 'languages'
  | 'limiter'
  | 'log'
  | 'outbox'
  | 'people'
  | 'random'
  | 'sealer'
>;

export type Context = AskParts &
  Deps & {
    peers: ReturnType<typeof peersOf>;
    knownAis: KnownAis;
    verifyCallback: VerifyCallback;
    approvals: ApprovalMachine;
    batched: Batched;
    signing: Signing<WholeApproval>;
    /** Validates and normalizes an ask of another home as the API does. */
    askReader: Reader;
    receivedActs: ReceivedActs;
    sentActs: SentActs;
  };
