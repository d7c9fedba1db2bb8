import { createCoalescer } from '@hearth/coalesce';
import type { HostParts } from '@hearth/runtime';
import { batched } from '../../shared/actions/create-things.ts';
import { thingTopic } from '../../shared/domain/topics.ts';
import { findMeetings, type MeetingRow, type SignedMeeting, storeRecords } from '../db/meetings.ts';
import { findSeated, type SeatedOffer } from '../db/offers.ts';

/** Batches requests' statements: those that arrive while one is in flight share the next. */
export interface Batches {
  /** The meeting (uuid), without checking who may see it. */
  meeting(id: string): Promise<MeetingRow | null>;
  /** The offer (uuid), and whether the viewer (uuid) has a seat at it. */
  offer(wanted: { id: string; viewer: string }): Promise<SeatedOffer | null>;
  /** Stores a meeting's signed record once, and wakes waiting requests. */
  sign(signed: SignedMeeting): Promise<void>;
}

export function createBatches({ commit, database }: HostParts): Batches {
  const meetings = createCoalescer<string, MeetingRow | null>({
    ...batched,
    name: 'batch of meetings',
    run: (ids) => findMeetings(database.db, ids),
  });
  const offers = createCoalescer<{ id: string; viewer: string }, SeatedOffer | null>({
    ...batched,
    name: 'batch of looks at offers',
    run: (wanted) => findSeated(database.db, wanted),
  });
  const records = createCoalescer<SignedMeeting, undefined>({
    ...batched,
    name: 'batch of signed meetings',
    splitOnError: true,
    run: (batch) =>
      commit.statement(async (tx) => {
        const firsts = new Map(batch.toReversed().map((meeting) => [meeting.record, meeting]));
        const written = await storeRecords(tx, [...firsts.values()]);
        tx.wake(...[...written].map((id) => thingTopic('meeting', id)));
        return batch.map(() => undefined);
      }),
  });
  return { meeting: meetings.add, offer: offers.add, sign: records.add };
}
