import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { pageSize } from '@hearth/paging';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { cursor } from '../../shared/domain/cursor.ts';
import { kindNameOf, requestKinds } from '../../shared/domain/request-kinds.ts';
import { fromAsk, fromInvitation, fromMessage, showRequests } from '../actions/show-requests.ts';
import { viewing } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { mergePages } from '../domain/merge-pages.ts';

/** Asks, messages and invites in one list; each source is asked for one page and one item more. */
export const listRequests =
  (context: Context): UnaryHandler<typeof RequestsService.method.listRequests> =>
  async (request, call) => {
    const { asks, invitations, limits, messages, people } = context;
    const viewer = viewing(call.caller);
    if (viewer === null) return { requests: [] };
    const { person, holders } = viewer;
    const before = request.cursor === undefined ? null : cursor.read(request.cursor);
    const size = pageSize(limits, request.limit);
    const limit = size + 1;
    const page = {
      limit,
      ...(before !== null && { beforeAt: timestampFromDate(before.at), beforeId: before.id }),
    };
    const kind = request.kind || undefined;
    // An invite is of no special kind.
    const withInvites = kind === undefined || kind === RequestKind.OTHER;
    const lists = await Promise.all([
      asks
        .listRequests(viewer, {
          kinds: kind === undefined ? requestKinds : [kindNameOf(kind)],
          before,
          limit,
        })
        .then((rows) => rows.map(fromAsk)),
      messages
        .listRequestMessages(
          { viewer: { person, holders }, ...(kind !== undefined && { kind: kind as number }), ...page },
          { call },
        )
        .then((found) => found.messages.map(fromMessage)),
      withInvites
        ? invitations
            .listInvitations({ person, holders, ...page }, { call })
            .then((found) => found.invitations.map(fromInvitation))
        : [],
    ]);
    const { shown, more } = mergePages(lists, size);
    const last = shown.at(-1);
    return {
      requests: await showRequests(people, shown, call.caller),
      nextCursor: more && last !== undefined ? cursor.print(last) : undefined,
    };
  };
