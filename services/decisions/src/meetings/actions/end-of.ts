import type { Context } from '../context.ts';
import { findAheadOf, findMovesBy, findMovesTo } from '../db/meetings.ts';
import { noteAnew } from '../db/note-anew.ts';
import { findOpenOf } from '../db/offers.ts';
import { offerChanged } from '../domain/events.ts';
import { statusAt } from '../domain/meeting.ts';
import type { Party } from '../domain/party.ts';
import { isElsewhere, sendThere } from './on-elsewhere.ts';

/**
 * Withdraws these parties' (uuids) offers and cancels their upcoming meetings. Idempotent.
 *
 * A cancelled meeting frees its time, which can reopen an offer, so this repeats until none is left.
 *
 * @param anew when a different home took the parties' home name: it isn't told, remote meetings end here too, and
 * offers and meetings made since stay
 */
export async function endOf(
  context: Context,
  parties: readonly string[],
  { anew = null }: { anew?: Date | null } = {},
): Promise<void> {
  const { clock, commit, database, meetings } = context;
  const findAhead = () => findAheadOf(database.db, parties, { now: new Date(clock.now()), until: anew });
  if (anew !== null) await commit((tx) => noteAnew(tx, parties, anew));
  // A remote meeting is cancelled by its own home.
  else
    for (const row of (await findAhead()).filter(isElsewhere))
      await sendThere(context, row, 'cancel_meeting');
  for (;;) {
    for (const id of await findOpenOf(database.db, parties, anew)) await withdraw(context, id);
    const ahead = (await findAhead()).filter((row) => anew !== null || !isElsewhere(row));
    if (ahead.length === 0) return;
    for (const { id } of ahead)
      await meetings.act(id, (now) =>
        // Meanwhile, another process may have cancelled it, or it may be past.
        statusAt(now, clock.now()) === 'booked' ? { act: { kind: 'cancel', by: null, reason: '' } } : null,
      );
  }
}

/** Declines the moves that blocked parties proposed to the viewer (uuid) before `before`. Idempotent. */
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

/** Declines moves that the other side never learns of, because these messages (msg_) were undeliverable. Idempotent. */
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
