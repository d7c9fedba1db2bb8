import type { MessageInitShape } from '@bufbuild/protobuf';
import { placeCursor, readPage } from '@hearth/paging';
import { ApprovalSchema } from '@hearth/proto/approvals/v1/approvals';
import {
  type ListRemoteAsksRequest,
  type ListRemoteAsksResponseSchema,
  RemoteAskKind,
} from '@hearth/proto/approvals/v1/requests';
import { writeMessage } from '@hearth/proto-json';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listElsewhere } from '../db/lists.ts';
import { isDue } from '../domain/machine.ts';
import { showApprovals } from './show-approvals.ts';
import { viewing } from './viewer.ts';

/** The asks of other homes that wait for the caller or their person; newest first. */
export async function listRemote(
  context: Context,
  request: ListRemoteAsksRequest,
  caller: Caller,
): Promise<MessageInitShape<typeof ListRemoteAsksResponseSchema>> {
  const { clock, database } = context;
  const { owners } = viewing(caller);
  const { rows, nextCursor } = await readPage(context, request, {
    cursor: placeCursor,
    find: (after, limit) => listElsewhere(database.db, owners, { after, limit }),
    placeOf: ({ approval }) => ({ at: approval.asked_at, id: approval.id }),
  });
  const waiting = rows.filter(({ approval }) => !isDue(approval, clock.now()));
  const shown = await showApprovals(context, waiting, caller);
  const asks = shown.map((approval) => ({
    ...{ ref: approval.id, kind: RemoteAskKind.APPROVAL, title: approval.title },
    ...{ home: approval.home ?? '', from: approval.from },
    detail: writeMessage(ApprovalSchema, approval) as never,
  }));
  return { asks, nextCursor };
}
