import { notFound } from '@hearth/errors';
import type { ItemKey } from '@hearth/proto/events/v1/events';
import { anonymous, type Call, type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findRequestMessages, type RequestRow, type RequestsViewer } from '../db/request-messages.ts';

/** The caller as the viewer of a requests box; null for an AI without an owner, which has none. */
export function viewerIn(caller: Caller): RequestsViewer | null {
  const person = personOf(caller);
  return person === null ? null : { person, holder: caller.id };
}

/** Filters out messages to AIs that have changed owner since. */
export async function withOwnerNow<Row extends RequestRow>(
  { ais }: Pick<Context, 'ais'>,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = [
    ...new Set(rows.flatMap(({ person, recipient }) => (recipient === person ? [] : [recipient]))),
  ];
  if (ids.length === 0) return [...rows];
  const { results } = await ais.findAis({ ids }, { caller: anonymous });
  const owners = new Map(results.map(({ facts }, index) => [ids[index], facts?.owner]));
  return rows.filter(({ person, recipient }) => recipient === person || owners.get(recipient) === person);
}

/**
 * Returns an item's message and its viewer.
 *
 * @throws not_found if the message is not waiting for the caller
 */
export async function waitingItem(
  context: Context,
  { keys }: { keys: readonly ItemKey[] },
  { caller }: Call,
): Promise<{ viewer: RequestsViewer; row: RequestRow }> {
  const viewer = viewerIn(caller);
  const ids = keys.map(({ id }) => id);
  const found = viewer === null ? [] : await findRequestMessages(context.database.db, viewer, ids);
  const [row] = await withOwnerNow(context, found);
  if (viewer === null || row === undefined) throw notFound();
  return { viewer, row };
}
