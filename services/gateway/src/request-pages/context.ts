import type { Clock } from '@hearth/clock';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Reader } from '@hearth/proto-json';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Frame } from '@hearth/web';
import { type AddPeoplePage, frameWithZone, type PageRequest } from '../pages/module.ts';

/** What the pages of asks, requests and receipts ask of the services. */
export interface ApprovalPeers {
  ais: Pick<Client<typeof AisService>, 'listAis'>;
  people: Pick<Client<typeof PeopleService>, 'findPeople'>;
  approvals: Pick<
    Client<typeof ApprovalsService>,
    'listApprovals' | 'getApproval' | 'replyApproval' | 'relabelRequest' | 'findByMailKey' | 'answerByMail'
  >;
  requests: Pick<
    Client<typeof RequestsService>,
    'listRequests' | 'acceptRequest' | 'declineRequest' | 'listBlocks' | 'block' | 'unblock' | 'report'
  >;
  rules: Pick<
    Client<typeof RequestRulesService>,
    'getRequestRules' | 'setRequestRules' | 'acceptRequestRules' | 'declineRequestRules'
  >;
  records: Pick<Client<typeof RecordsService>, 'getRecord' | 'verifyRecord'>;
}

/** @param ofApprovals the client of a service that the approvals service serves */
export function peersOfApprovalPages({ peer }: Pick<Host, 'peer'>): ApprovalPeers {
  return {
    approvals: peer('approvals', ApprovalsService),
    requests: peer('approvals', RequestsService),
    rules: peer('approvals', RequestRulesService),
    records: peer('federation', RecordsService),
    ais: peer('identity', AisService),
    people: peer('identity', PeopleService),
  };
}

/** What these pages are made with. */
export interface ApprovalContext {
  addPage: AddPeoplePage;
  peers: ApprovalPeers;
  /** Holds what a form says to the rules of the operation that it is for, as the API does. */
  reader: Reader;
  clock: Clock;
  siteUrl: string;
}

/** The frame of a page that tells times and leads to what waits; `waiting` where it was counted. */
export async function frameOfRequests(
  { peers }: Pick<ApprovalContext, 'peers'>,
  request: PageRequest,
  waiting?: number,
): Promise<Frame> {
  const frame = await frameWithZone(peers, request);
  return frame.person === undefined ? frame : { ...frame, requests: { waiting } };
}
