import { printId } from '@hearth/ids';
import type { Outbox, OutboxRow } from '@hearth/outbox';

type Rows = Pick<Outbox, 'row'>;
type Actor = Parameters<Outbox['row']>[2];

/** A block as it is told to those who end what waits; never to whom it is about. */
export interface ToldBlock {
  /** uuid */
  person: string;
  target: string;
  targetId: string;
}

export function blockedEvent(outbox: Rows, block: ToldBlock, by: Actor): OutboxRow {
  return outbox.row({ case: 'blocked', value: block }, [], by);
}

export function unblockedEvent(outbox: Rows, block: ToldBlock, by: Actor): OutboxRow {
  return outbox.row({ case: 'unblocked', value: block }, [], by);
}

export function reportedEvent(
  outbox: Rows,
  { id, reason }: { id: string; reason: string },
  by: Actor,
): OutboxRow {
  return outbox.row({ case: 'reported', value: { report: printId('rpt', id), reason } }, [], by);
}

/** What the operator did about it, for the audit log. */
export function reportResolvedEvent(
  outbox: Rows,
  { id, resolution }: { id: string; resolution: string },
  by: Actor,
): OutboxRow {
  return outbox.row({ case: 'reportResolved', value: { report: printId('rpt', id), resolution } }, [], by);
}
