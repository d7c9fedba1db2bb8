import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { newestOf, type PagePosition, placeCursor, readPage } from '@hearth/paging';
import { ApprovalSchema } from '@hearth/proto/approvals/v1/approvals';
import {
  type ListRemoteAsksRequest,
  type ListRemoteAsksResponseSchema,
  RemoteAskKind,
  RemoteAskKindSchema,
} from '@hearth/proto/approvals/v1/requests';
import type { WaitingThing } from '@hearth/proto/federation/v1/waiting_things';
import { writeMessage } from '@hearth/proto-json';
import { anonymous, type Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listElsewhere } from '../db/lists.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { isDue } from '../domain/machine.ts';
import { showApprovals } from './show-approvals.ts';
import { viewing } from './viewer.ts';

type RemoteThing = WholeApproval | WaitingThing;

const placeOf = (thing: RemoteThing): PagePosition =>
  'approval' in thing
    ? { at: thing.approval.asked_at, id: thing.approval.id }
    : { at: thing.at === undefined ? new Date(0) : timestampDate(thing.at), id: thing.id };

const kinds = enumNames(RemoteAskKindSchema);

/**
 * Everything from other homes that waits for the caller or their person, newest first: asks, and the things
 * of other services.
 */
export async function listRemote(
  context: Context,
  request: ListRemoteAsksRequest,
  caller: Caller,
): Promise<MessageInitShape<typeof ListRemoteAsksResponseSchema>> {
  const { clock, database } = context;
  const { owners } = viewing(caller);
  const { rows, nextCursor } = await readPage<RemoteThing, PagePosition>(context, request, {
    cursor: placeCursor,
    async find(after, limit) {
      const [asks, ...others] = await Promise.all([
        listElsewhere(database.db, owners, { after, limit }),
        ...context.peers.waiting.map((peer) => thingsOf(peer, owners, after, limit)),
      ]);
      return newestOf<RemoteThing>(placeOf, limit, asks, ...others);
    },
    placeOf,
  });
  const asked = rows.filter((row) => 'approval' in row && !isDue(row.approval, clock.now()));
  const shown = await showApprovals(context, asked as WholeApproval[], caller);
  const approvals = new Map(asked.map((thing, index) => [thing, shown[index]]));
  const asks = rows.flatMap((row) => {
    if (!('approval' in row)) {
      const { reference: ref, kind, title, home, from, detail } = row;
      return [{ ref, kind: kinds.valueOf(kind), title, home, from, detail }];
    }
    const approval = approvals.get(row);
    if (approval === undefined) return [];
    return [
      {
        ...{ ref: approval.id, kind: RemoteAskKind.APPROVAL, title: approval.title },
        ...{ home: approval.home ?? '', from: approval.from },
        detail: writeMessage(ApprovalSchema, approval) as never,
      },
    ];
  });
  return { asks, nextCursor };
}

async function thingsOf(
  peer: Context['peers']['waiting'][number],
  viewers: readonly string[],
  after: PagePosition | null,
  limit: number,
): Promise<WaitingThing[]> {
  const before = after === null ? {} : { before: timestampFromDate(after.at), beforeId: after.id };
  return (await peer.listWaitingThings({ viewers: [...viewers], ...before, limit }, { caller: anonymous }))
    .things;
}
