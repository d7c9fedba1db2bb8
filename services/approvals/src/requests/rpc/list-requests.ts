import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { Call } from '@hearth/rpc';
import { listRequestAsks } from '../../asks/db/request-asks.ts';
import { pageSize } from '../../shared/actions/page-size.ts';
import { type Place, printPlace, readPlace } from '../../shared/domain/cursor.ts';
import { kindWord, requestKinds } from '../../shared/domain/request-kinds.ts';
import {
  fromAsk,
  fromInvitation,
  fromMessage,
  showRequests,
  type Waiting,
} from '../actions/show-requests.ts';
import { type Viewer, viewing } from '../actions/viewer.ts';
import type { RequestsContext } from '../context.ts';
import { mergePages } from '../domain/merge-pages.ts';
import type { RequestsHandlers } from './index.ts';

/** Asks, messages and invites in one list; each is asked for one page, so that one more says that there is a next. */
export const listRequests =
  (context: RequestsContext): RequestsHandlers['listRequests'] =>
  async ({ cursor, kind, limit }, call) => {
    const viewer = viewing(call.caller);
    if (viewer === null) return { requests: [] };
    const before = cursor === undefined ? null : readPlace(cursor);
    const size = pageSize(context, limit);
    const page: Page = { kind: kind || undefined, before, limit: size + 1 };
    const lists = await Promise.all([
      asks(context, viewer, page),
      messages(context, viewer, page, call),
      invitations(context, viewer, page, call),
    ]);
    const { shown, more } = mergePages(lists, size);
    const last = shown.at(-1);
    return {
      requests: await showRequests(context.people, shown, call.caller),
      nextCursor: more && last !== undefined ? printPlace(last) : undefined,
    };
  };

interface Page {
  kind: RequestKind | undefined;
  before: Place | null;
  limit: number;
}

async function asks(
  { clock, database }: RequestsContext,
  { person, owners, themselves }: Viewer,
  { kind, before, limit }: Page,
): Promise<Waiting[]> {
  const rows = await listRequestAsks(
    database.db,
    { person, owners, minors: themselves },
    { now: nowDate(clock), kinds: kind === undefined ? requestKinds : [kindWord(kind)], before, limit },
  );
  return rows.map(fromAsk);
}

async function messages(
  context: RequestsContext,
  { person, holders }: Viewer,
  { kind, before, limit }: Page,
  call: Call,
): Promise<Waiting[]> {
  const { messages: found } = await context.messages.listRequestMessages(
    {
      viewer: { person, holders },
      ...(kind !== undefined && { kind: kind as number }),
      ...(before !== null && { beforeAt: timestampFromDate(before.at), beforeId: before.id }),
      limit,
    },
    { call },
  );
  return found.map(fromMessage);
}

/** Nobody says of an invite what kind of request it is. */
async function invitations(
  context: RequestsContext,
  { person, holders }: Viewer,
  { kind, before, limit }: Page,
  call: Call,
): Promise<Waiting[]> {
  if (kind !== undefined && kind !== RequestKind.OTHER) return [];
  const { invitations: found } = await context.invitations.listInvitations(
    {
      person,
      holders,
      ...(before !== null && { beforeAt: timestampFromDate(before.at), beforeId: before.id }),
      limit,
    },
    { call },
  );
  return found.map(fromInvitation);
}
