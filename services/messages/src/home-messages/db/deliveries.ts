import type { Tx } from '@hearth/db';

export interface Settled {
  /** uuid of the message */
  id: string;
  delivery: number;
  why: string | null;
}

/** Notes what became of messages to other homes, but for what was known already. */
export async function settleDeliveries(tx: Tx, settled: readonly Settled[]): Promise<void> {
  await tx.execute({
    name: 'messages_settle_deliveries',
    text: `
      update messages.messages m set delivery = s.delivery, why = s.why
      from unnest($1::uuid[], $2::int[], $3::text[]) as s (id, delivery, why)
      where m.id = s.id and m.delivery is null and strpos(m.recipient_address, '@') > 1`,
    values: [
      settled.map(({ id }) => id),
      settled.map(({ delivery }) => delivery),
      settled.map(({ why }) => why),
    ],
  });
}
