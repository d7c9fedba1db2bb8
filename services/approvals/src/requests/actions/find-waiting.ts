import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Invitation } from '@hearth/proto/groups/v1/invitations';
import type { RequestMessage } from '@hearth/proto/messages/v1/request_messages';
import type { Call } from '@hearth/rpc';
import { findRequestAsk, type RequestAskRow } from '../../asks/db/request-asks.ts';
import type { RequestsContext } from '../context.ts';
import { type Viewer, viewing } from './viewer.ts';

/** What waits in the caller's requests, by its id. */
export type Found =
  | { type: 'approval'; viewer: Viewer; places: RequestAskRow[] }
  | { type: 'message'; viewer: Viewer; message: RequestMessage }
  | { type: 'invite'; viewer: Viewer; invitation: Invitation };

type Parts = Pick<RequestsContext, 'clock' | 'database' | 'invitations' | 'messages'>;

/** @throws not_found for what does not wait for the caller */
export async function findWaiting(context: Parts, id: string, call: Call): Promise<Found> {
  const viewer = viewing(call.caller);
  const found = viewer === null ? null : await find(context, viewer, id, call);
  if (found === null) throw notFound();
  return found;
}

async function find(
  { clock, database, invitations, messages }: Parts,
  viewer: Viewer,
  id: string,
  call: Call,
): Promise<Found | null> {
  const { person, holders, owners, themselves } = viewer;
  const approval = parseId('apr', id);
  if (approval !== null) {
    const asked = { person, owners, minors: themselves };
    const places = await findRequestAsk(database.db, asked, nowDate(clock), approval);
    return places.length === 0 ? null : { type: 'approval', viewer, places };
  }
  const sent = parseId('msg', id);
  if (sent !== null) {
    const { message } = await messages.findRequestMessage(
      { viewer: { person, holders }, id: sent },
      { call },
    );
    return message === undefined ? null : { type: 'message', viewer, message };
  }
  const invite = parseId('inv', id);
  if (invite === null) return null;
  const { invitation } = await invitations.findInvitation({ person, holders, id: invite }, { call });
  return invitation === undefined ? null : { type: 'invite', viewer, invitation };
}
