import { second } from '@hearth/clock';
import { fragment } from '@hearth/db';
import { sendOffer, tellMove } from '../actions/send-offer.ts';
import type { Context } from '../context.ts';
import { claimTelling, nextTelling } from '../db/meetings.ts';
import { claimSending, findOffer, nextSending } from '../db/offers.ts';

/** Until then, the request that created it still sends by itself. */
const graceMs = 5 * second;
const leaseMs = 30 * second;
const batch = 50;

export const sendingDue = {
  sql: fragment`select least((${nextSending(graceMs)}), (${nextTelling}))`,
  afterWritesMs: graceMs,
};

/** Sends the offers and proposed moves left unsent by a crash or an unavailable messages service. */
export async function sendUnsent(context: Context): Promise<void> {
  const { clock, database, log } = context;
  const now = clock.now();
  const before = new Date(now - graceMs);
  const lease = { now: new Date(now), until: new Date(now + leaseMs), limit: batch };
  // A failure doesn't stop the others; the row is retried once its lease expires.
  const each = async (ids: string[], work: (id: string) => Promise<unknown>) => {
    for (const id of ids)
      await work(id).catch((err) => log.warn({ err, id }, 'an offer or a move could not be told yet'));
  };
  await each(await database.statement((tx) => claimSending(tx, before, lease)), async (id) => {
    const row = await findOffer(database.db, id);
    if (row !== null) await sendOffer(context, row);
  });
  await each(await database.statement((tx) => claimTelling(tx, lease)), async (id) => {
    const row = await context.batches.meeting(id);
    if (row !== null) await tellMove(context, row);
  });
}
