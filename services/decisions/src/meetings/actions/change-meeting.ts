import { createMachine, type Machine } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import { thingTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { lockMeeting, type MeetingRow, updateMeeting } from '../db/meetings.ts';
import { lockOffer } from '../db/offers.ts';
import { meetingChanged, type Told } from '../domain/events.ts';
import { type MeetingAct, nextMeeting, type Side } from '../domain/meeting.ts';
import { unsignedOf } from '../domain/record.ts';
import type { OfferMachine } from './change-offer.ts';
import { meetingDue } from './tell-homes.ts';

export interface Change {
  act: MeetingAct;
  by?: Caller | undefined;
  /** The act whole, where it is of another home. */
  item?: string | undefined;
}

/** Changes of meetings with their rows locked, and then that of the offer, whose times they take and free. */
export type MeetingMachine = Machine<string, MeetingRow, Change, void>;

const told: Record<MeetingAct['kind'], Told['what']> = {
  propose: 'move_proposed',
  accept: 'moved',
  decline: 'move_declined',
  cancel: 'cancelled',
};

export function createMeetingMachine(
  { clock, commit, homeNames, ids }: HostParts<'homeNames'>,
  { copies, offers }: Pick<Context, 'copies'> & { offers: OfferMachine },
): MeetingMachine {
  function next(before: MeetingRow, { act, item }: Change): MeetingRow {
    const after = nextMeeting(before, act, clock.now());
    if (after === before) return before;
    const row = { ...after, telling: act.kind === 'propose', revision: before.revision + 1 };
    if (row.sequence === before.sequence) return row;
    const earlier = before.signed_record ?? before.earlier_record;
    const signing = {
      ...{ record: ids.uuid(), signed_record: null, earlier_record: earlier },
      unsigned_before: before.signed_record === null ? unsignedOf(homeNames.ownHome, before) : null,
    };
    const acts =
      act.kind === 'cancel'
        ? { ...row.acts, cancel: item }
        : { ...row.acts, move: item ?? before.move?.item };
    return { ...row, ...signing, acts, settled_at: new Date(clock.now()) };
  }

  return createMachine<string, MeetingRow, Change, void>({
    commit,
    lock: lockMeeting,
    next,
    async write(tx, { before, after, act: { act, by } }) {
      const slot =
        act.kind === 'accept' || act.kind === 'cancel' ? await timeOf(act.kind, after) : before.slot;
      await updateMeeting(tx, { ...after, slot });
      tx.wake(thingTopic('meeting', after.id));
      const side = act.kind === 'propose' ? act.move.by : act.by;
      const reason = act.kind === 'propose' ? act.move.reason : (after.reason ?? '');
      const news = meetingChanged(after, { what: told[act.kind], side, by, reason });
      tx.announce(news, ...meetingDue(copies, after));

      /** The time of the offer that it takes from now on; the one that it took is free. */
      async function timeOf(kind: 'accept' | 'cancel', { id, offer, starts_at, ends_at }: MeetingRow) {
        const row = await lockOffer(tx, offer);
        if (row === null) return null;
        if (kind === 'cancel') {
          await offers.take(tx, row, { kind: 'free', meeting: id });
          return before.slot;
        }
        const period = { starts: starts_at.getTime(), ends: ends_at.getTime() };
        const moved = await offers.take(tx, row, { kind: 'move', meeting: id, ...period });
        return moved.state.slots.some(({ meeting }) => meeting === id) ? starts_at : null;
      }
    },
  });
}

/** @param viewer uuid of one of its two sides */
export function sideOf({ host_viewer }: MeetingRow, viewer: string): Side {
  return host_viewer === viewer ? 0 : 1;
}
