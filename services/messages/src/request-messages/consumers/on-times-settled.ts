import { timestampDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { itemsChanged } from '@hearth/items';
import type { Event } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { closing } from '../../shared/domain/items.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { endWait, findOffersFrom, lockWaitingOf } from '../db/request-messages.ts';

/** Messages about times whose wait is over. */
interface Settled {
  /** uuids of the senders. */
  senders: readonly string[];
  /** uuids of the recipients and the people behind them; null for all. */
  recipients: readonly string[] | null;
  /** Ids of offers and meetings, as the messages have them. */
  about: readonly string[];
  at: Date;
}

/**
 * Removes messages that offer or propose times from the requests once the matter is settled: booked,
 * withdrawn, moved, declined or cancelled. Later messages keep waiting. Idempotent.
 */
export const onTimesSettled = (context: Context) => ({
  durable: 'times',
  types: ['offer_changed', 'meeting_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) for (const settled of settledBy(event)) await end(context, settled);
  },
});

function settledBy({ at: told, data }: Event): Settled[] {
  if (told === undefined) return [];
  const at = timestampDate(told);
  if (data.case === 'offerChanged') {
    const { host, offer, reference, what } = data.value;
    if (what === 'offered') return [];
    return [{ senders: [host], recipients: null, about: [reference || printId('ofr', offer)], at }];
  }
  if (data.case !== 'meetingChanged') return [];
  const { meeting, offer, offerOver, reference, sides, what } = data.value;
  if (what !== 'booked')
    return [
      {
        senders: sides.map(({ id }) => id),
        recipients: null,
        about: [reference || printId('mtg', meeting)],
        at,
      },
    ];
  const [host, guest] = sides;
  if (host === undefined || guest === undefined) return [];
  const theirs = [guest.id, guest.person].filter((id) => id !== '');
  return [{ senders: [host.id], recipients: offerOver ? null : theirs, about: [offer], at }];
}

async function end(context: Context, { about, at, recipients, senders }: Settled): Promise<void> {
  const { clock, commit, database, items } = context;
  const found = (await findOffersFrom(database.db, senders, at)).filter(
    ({ data, person, recipient }) =>
      isAbout(data, about) &&
      (recipients === null || [person, recipient].some((id) => recipients.includes(id))),
  );
  for (const [mailbox, theirs] of Map.groupBy(found, ({ recipient }) => recipient)) {
    const ids = theirs.map(({ id }) => id);
    await commit(async (tx) => {
      await lockMailboxes(tx, mailbox);
      const rows = await lockWaitingOf(tx, mailbox, ids);
      if (rows.length === 0) return;
      await endWait(tx, mailbox, rows, new Date(clock.now()));
      tx.announce(itemsChanged(closing(rows)));
      tx.wake(mailboxTopic(mailbox));
    });
    await items.note(closing(theirs));
  }
}

function isAbout(data: unknown, about: readonly string[]): boolean {
  const { meeting, offer } = (data ?? {}) as { meeting?: unknown; offer?: unknown };
  return [meeting, offer].some((reference) => typeof reference === 'string' && about.includes(reference));
}
