import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Invitation } from '@hearth/proto/groups/v1/invitations';
import type { RequestMessage } from '@hearth/proto/messages/v1/request_messages';
import type { Call } from '@hearth/rpc';
import type { RequestAskRow } from '../../asks/module.ts';
import type { Context } from '../context.ts';
import { type Viewer, viewing } from './viewer.ts';

/** An item that waits in the caller's requests. */
export type Found =
  | { type: 'approval'; viewer: Viewer; places: RequestAskRow[] }
  | { type: 'message'; viewer: Viewer; message: RequestMessage }
  | { type: 'invite'; viewer: Viewer; invitation: Invitation };

/** @throws not_found for an item that does not wait for the caller */
export async function findWaiting(context: Context, id: string, call: Call): Promise<Found> {
  const viewer = viewing(call.caller);
  const found = viewer === null ? null : await find(context, viewer, id, call);
  if (found === null) throw notFound();
  return found;
}

async function find(
  { asks, invitations, messages }: Context,
  viewer: Viewer,
  id: string,
  call: Call,
): Promise<Found | null> {
  const { person, holders } = viewer;
  const approval = parseId('apr', id);
  if (approval !== null) {
    const places = await asks.findRequest(viewer, approval);
    return places.length === 0 ? null : { type: 'approval', viewer, places };
  }
  const sent = parseId('msg', id);
  if (sent !== null) {
    const request = { viewer: { person, holders }, id: sent };
    const { message } = await messages.findRequestMessage(request, { call });
    return message === undefined ? null : { type: 'message', viewer, message };
  }
  const invite = parseId('inv', id);
  if (invite === null) return null;
  const { invitation } = await invitations.findInvitation({ person, holders, id: invite }, { call });
  return invitation === undefined ? null : { type: 'invite', viewer, invitation };
}
