import { notFound } from '@hearth/errors';
import type { ItemKey } from '@hearth/proto/events/v1/events';
import type { RequestsViewer as ProtoViewer } from '@hearth/proto/messages/v1/request_messages';
import { type Call, type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findRequestMessages, type RequestRow, type RequestsViewer } from '../db/request-messages.ts';
import { toViewer } from '../domain/to-request-message.ts';

export interface Waiting {
  viewer: RequestsViewer;
  row: RequestRow;
}

/** The caller as the viewer of a requests box; null for an AI without an owner, for which nothing waits. */
export function viewerIn(caller: Caller): RequestsViewer | null {
  const person = personOf(caller);
  return person === null ? null : { person, holders: [caller.id] };
}

/**
 * The message of an item, and its viewer.
 *
 * @throws not_found for a message that does not wait for the caller
 */
export function waitingItem(
  context: Context,
  { keys }: { keys: readonly ItemKey[] },
  { caller }: Call,
): Promise<Waiting> {
  return find(context, viewerIn(caller), keys[0]?.id);
}

/** The same by the viewer that the request names. */
export function waitingMessage(
  context: Context,
  request: { viewer?: ProtoViewer | undefined; message: string },
): Promise<Waiting> {
  return find(context, toViewer(request.viewer), request.message);
}

async function find(
  { database }: Context,
  viewer: RequestsViewer | null,
  id: string | undefined,
): Promise<Waiting> {
  const [row] =
    viewer === null || id === undefined ? [] : await findRequestMessages(database.db, viewer, [id]);
  if (viewer === null || row === undefined) throw notFound();
  return { viewer, row };
}
