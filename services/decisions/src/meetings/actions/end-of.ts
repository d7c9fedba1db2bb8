import type { Context } from '../context.ts';
import { findAheadOf, findMovesBy, findMovesTo } from '../db/meetings.ts';
import { noteAnew } from '../db/note-anew.ts';
import { findOpenOf } from '../db/offers.ts';
import { offerChanged } from '../domain/events.ts';
import { statusAt } from '../domain/meeting.ts';
import type { Party } from '../domain/party.ts';
import { isElsewhere, sendThere } from './on-elsewhere.ts';

/**
 * Takes back what these parties (uuids) offer, and calls off what they booked and is ahead. Repeated calls change nothing.
 *
 * A meeting that is called off frees its time, and can so open an offer of theirs again: it ends once none is left.
 *
 * @param isAnew another home is under the name of theirs: it is told nothing, and what was there is over here
 */
export async function endOf(
  context: Context,
  parties: readonly string[],
  { isAnew = false }: { isAnew?: boolean } = {},
): Promise<void> {
  const { clock, commit, database, meetings } = context;
  const findAhead = () => findAheadOf(database.db, parties, new Date(clock.now()));
  if (isAnew) await commit((tx) => noteAnew(tx, parties));
  // The home of any other meeting calls it off.
  else
    for (const row of (await findAhead()).filter(isElsewhere))
      await sendThere(context, row, 'cancel_meeting');
  for (;;) {
    for (const id of await findOpenOf(database.db, parties)) await withdraw(context, id);
    const ahead = (await findAhead()).filter((row) => isAnew || !isElsewhere(row));
    if (ahead.length === 0) return;
    for (const { id } of ahead)
      await meetings.act(id, (now) =>
        // Another process may have called it off, or its time may have come, since.
        statusAt(now, clock.now()) === 'booked' ? { act: { kind: 'cancel', by: null, reason: '' } } : null,
      );
  }
}

/** Declines the moves that blocked parties proposed to that viewer (uuid) before that moment. Repeated calls change nothing. */
export async function declineMoves(
  context: Context,
  viewer: string,
  before: Date,
  isBlocked: (party: Party) => boolean,
): Promise<void> {
  const { clock, database, meetings } = context;
  for (const row of await findMovesTo(database.db, viewer)) {
    const by = row.move?.by;
    if (row.move === null || row.move.at >= before.getTime()) continue;
    if (!isBlocked(by === 0 ? row.host : row.guest)) continue;
    if (isElsewhere(row)) await sendThere(context, row, 'decline_move');
    else
      await meetings.act(row.id, (now) =>
        statusAt(now, clock.now()) === 'booked' && now.move?.by === by
          ? { act: { kind: 'decline', by: by === 0 ? 1 : 0 } }
          : null,
      );
  }
}

const undelivered = 'The other time could not be told to the other side.';

/** Declines the moves that the other side is not told of, since these messages (msg_) are undeliverable. Repeated calls change nothing. */
export async function declineUntold(context: Context, messages: readonly string[]): Promise<void> {
  const { clock, database, meetings } = context;
  for (const id of await findMovesBy(database.db, messages))
    await meetings.act(id, (now) =>
      statusAt(now, clock.now()) === 'booked' && messages.includes(now.move?.message ?? '')
        ? { act: { kind: 'decline', by: null, reason: undelivered } }
        : null,
    );
}

async function withdraw({ offers }: Context, id: string): Promise<void> {
  await offers.locked(id, async (tx, before) => {
    const { state: now } = await offers.take(tx, before, { kind: 'pass' });
    if (now.status !== 'open') return;
    const { state } = await offers.take(tx, now, { kind: 'withdraw' });
    tx.announce(offerChanged(state, 'withdrawn', undefined));
  });
}
