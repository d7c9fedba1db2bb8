import { createMachine, type Machine } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import { thingTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { findMeetings, lockMeeting, type MeetingRow, updateMeeting } from '../db/meetings.ts';
import { lockHosts, toMet } from '../db/met.ts';
import { type MeetingNews, meetingChanged } from '../domain/events.ts';
import { type MeetingAct, type MeetingSide, nextMeeting } from '../domain/meeting.ts';
import { unsignedOf } from '../domain/record.ts';
import { lockTimes } from './host-times.ts';
import { meetingDue } from './tell-homes.ts';

export interface Change {
  act: MeetingAct;
  by?: Caller | undefined;
  /** The signed act as JSON, if it came from another home. */
  item?: string | undefined;
}

/** Changes meetings. Lock order: both sides' times, the meetings, then the offers whose times are taken or freed. */
export type MeetingMachine = Machine<string, MeetingRow, Change, void>;

const told: Record<MeetingAct['kind'], MeetingNews['what']> = {
  propose: 'move_proposed',
  accept: 'moved',
  decline: 'move_declined',
  cancel: 'cancelled',
};

export function createMeetingMachine(
  { clock, commit, homeNames, ids }: HostParts<'homeNames'>,
  { copies }: Pick<Context, 'copies'>,
): MeetingMachine {
  function next(before: MeetingRow, { act, item }: Change): MeetingRow {
    // The act is sent again if this home crashed before recording the result.
    if (item !== undefined && Object.values(before.acts).includes(item)) return before;
    const after = nextMeeting(before, act, clock.now());
    if (after === before) return before;
    const row = {
      ...{ ...after, telling: act.kind === 'propose', revision: before.revision + 1 },
      acts: item === undefined ? before.acts : { ...before.acts, last: item },
    };
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
    async lock(tx, id) {
      const [found = null] = await findMeetings(tx, [id]);
      if (found !== null) await lockHosts(tx, [found.host_viewer, found.guest_viewer]);
      return await lockMeeting(tx, id);
    },
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

      /** The offer's time that the meeting now takes, after freeing the previous one; null if it takes none. */
      async function timeOf(kind: 'accept' | 'cancel', row: MeetingRow) {
        const met = toMet(row);
        const times = await lockTimes({ clock, copies }, tx, {
          viewers: [met.host, met.guest],
          offers: [met.offer],
          periods: [met],
        });
        if (kind === 'cancel') times.free(met);
        else times.move(met);
        await times.write();
        if (kind === 'cancel') return before.slot;
        return times.offer(met.offer)?.slots.some(({ meeting }) => meeting === met.id) ? row.starts_at : null;
      }
    },
  });
}

/** @param viewer uuid of one of the two sides */
export function sideOf({ host_viewer }: MeetingRow, viewer: string): MeetingSide {
  return host_viewer === viewer ? 0 : 1;
}
