import { named, type Tx } from '@hearth/db';

export interface Settled {
  /** uuid of the message. */
  id: string;
  delivery: number;
  why: string | null;
}

/** Records the outcome of messages to other homes, unless recorded before. */
export async function settleDeliveries(tx: Tx, settled: readonly Settled[]): Promise<void> {
  await tx.execute(named('messages_settle_deliveries')`
    update messages.messages m set delivery = s.delivery, why = s.why
    from unnest(${settled.map(({ id }) => id)}::uuid[], ${settled.map(({ delivery }) => delivery)}::int[],
      ${settled.map(({ why }) => why)}::text[]) as s (id, delivery, why)
    where m.id = s.id and m.delivery is null and strpos(m.recipient_address, '@') > 1`);
}
