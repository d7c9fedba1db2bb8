import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { Handlers } from '@hearth/rpc';
import type { RequestsContext } from '../context.ts';
import { acceptRequest } from './accept-request.ts';
import { block } from './block.ts';
import { declineRequest } from './decline-request.ts';
import { listBlocks } from './list-blocks.ts';
import { listReports } from './list-reports.ts';
import { listRequests } from './list-requests.ts';
import { report } from './report.ts';
import { resolveReport } from './resolve-report.ts';
import { unblock } from './unblock.ts';

export type RequestsHandlers = Handlers<typeof RequestsService>;

export function requestsHandlers(context: RequestsContext): RequestsHandlers {
  return {
    listRequests: listRequests(context),
    acceptRequest: acceptRequest(context),
    declineRequest: declineRequest(context),
    listBlocks: listBlocks(context),
    block: block(context),
    unblock: unblock(context),
    report: report(context),
    listReports: listReports(context),
    resolveReport: resolveReport(context),
  };
}
