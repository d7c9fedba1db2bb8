import type { Outbox, OutboxRow } from '@hearth/outbox';
import { actorOf, type Caller } from '@hearth/rpc';

type Rows = Pick<Outbox, 'row'>;

/** Events of an app (uuid) were sent once more. */
export function deliveriesReplayed(
  outbox: Rows,
  replayed: { app: string; count: number; reason: string },
  by: Caller,
): OutboxRow {
  return outbox.row({ case: 'deliveriesReplayed', value: replayed }, [], actorOf(by));
}

/** An address is used again: an app's, or a subscription's with its AI and who owns it. All uuids, or empty. */
export function destinationResumed(
  outbox: Rows,
  resumed: { app: string; subscription: string; ai: string; owner: string; reason: string },
  by: Caller,
): OutboxRow {
  return outbox.row({ case: 'destinationResumed', value: resumed }, [], actorOf(by));
}
