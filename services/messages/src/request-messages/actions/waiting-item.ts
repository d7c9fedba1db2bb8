import { notFound } from '@hearth/errors';
import type { ItemKey } from '@hearth/proto/events/v1/events';
import { type Call, type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findRequestMessages, type RequestRow, type RequestsViewer } from '../db/request-messages.ts';

/** The caller as the viewer of a requests box; null for an AI without an owner, for which nothing waits. */
export function viewerIn(caller: Caller): RequestsViewer | null {
  const person = personOf(caller);
  return person === null ? null : { person, holder: caller.id };
}

/**
 * The message of an item, and its viewer.
 *
 * @throws not_found for a message that does not wait for the caller
 */
export async function waitingItem(
  { database }: Context,
  { keys }: { keys: readonly ItemKey[] },
  { caller }: Call,
): Promise<{ viewer: RequestsViewer; row: RequestRow }> {
  const viewer = viewerIn(caller);
  const ids = keys.map(({ id }) => id);
  const [row] = viewer === null ? [] : await findRequestMessages(database.db, viewer, ids);
  if (viewer === null || row === undefined) throw notFound();
  return { viewer, row };
}
