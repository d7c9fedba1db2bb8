import { badField, badRequest, forbidden, type HearthError } from '@hearth/errors';
import { refusalsOf } from '../../shared/domain/refusals.ts';

const { notWaiting, over } = refusalsOf('meeting');

/** 0 offered the time, 1 booked it. */
export type MeetingSide = 0 | 1;

export interface Move {
  by: MeetingSide;
  /** Milliseconds since 1970. */
  starts: number;
  ends: number;
  reason: string;
  /** When it was proposed. */
  at: number;
  /** The remote act that proposes it, as JSON. */
  item?: string | undefined;
  /** The message (msg_) that notifies a remote other side. */
  message?: string | undefined;
}

/** The columns that the state machine uses. */
export interface Course {
  status: 'booked' | 'cancelled';
  starts_at: Date;
  ends_at: Date;
  sequence: number;
  /** The start before the last move; null if never moved. */
  moved_from: Date | null;
  move: Move | null;
  /** The side that cancelled; null: the home did, because a side is gone. */
  cancelled_by: MeetingSide | null;
  reason: string | null;
}

export type MeetingAct =
  | { kind: 'propose'; move: Move }
  /** The times that the side agreed to, if it states them. */
  | { kind: 'accept'; by: MeetingSide; starts?: number | undefined; ends?: number | undefined }
  /** Null: the home, which gives a reason. */
  | { kind: 'decline'; by: MeetingSide | null; reason?: string }
  | { kind: 'cancel'; by: MeetingSide | null; reason: string };

/**
 * The meeting after an act. Acts that change nothing return the same object: cancelling twice, or proposing
 * the same move again.
 *
 * @throws bad_request (already_settled, not_waiting, ask_changed), bad_field, forbidden for accepting one's
 * own move
 */
export function nextMeeting<Row extends Course>(meeting: Row, act: MeetingAct, at: number): Row {
  if (act.kind === 'cancel' && meeting.status === 'cancelled') return meeting;
  requireAhead(meeting, at);
  const { move, sequence } = meeting;
  switch (act.kind) {
    case 'propose':
      if (act.move.starts === meeting.starts_at.getTime() && act.move.ends === meeting.ends_at.getTime())
        throw badField('starts_at', 'must be another time than it has now');
      if (move !== null && isSameMove(move, act.move)) return meeting;
      return { ...meeting, move: act.move, reason: null };
    case 'accept':
      if (move === null) throw noMove();
      if (move.by === act.by) throw forbidden('the other side accepts the time that you propose');
      if ((act.starts ?? move.starts) !== move.starts || (act.ends ?? move.ends) !== move.ends)
        throw otherMove();
      if (move.starts <= at) throw notWaiting('the time that was proposed is over; propose another');
      return {
        ...meeting,
        ...{ starts_at: new Date(move.starts), ends_at: new Date(move.ends), move: null, reason: null },
        moved_from: meeting.starts_at,
        sequence: sequence + 1,
      };
    case 'decline':
      if (move === null) throw noMove();
      return { ...meeting, move: null, reason: act.reason || null };
    case 'cancel':
      return {
        ...meeting,
        status: 'cancelled',
        ...{ cancelled_by: act.by, reason: act.reason || null, move: null },
        sequence: sequence + 1,
      };
  }
}

export function statusAt({ status, ends_at }: Pick<Course, 'status' | 'ends_at'>, at: number) {
  return status === 'booked' && ends_at.getTime() <= at ? 'past' : status;
}

function isSameMove(one: Move, other: Move): boolean {
  return (
    one.by === other.by &&
    one.starts === other.starts &&
    one.ends === other.ends &&
    one.reason === other.reason
  );
}

function requireAhead(meeting: Course, at: number): void {
  const status = statusAt(meeting, at);
  if (status !== 'booked') throw over(status === 'past' ? 'over' : 'called off');
}

function noMove(): HearthError {
  return notWaiting('no other time is proposed');
}

function otherMove(): HearthError {
  return badRequest('another time is proposed by now; look at it before you accept it', {
    code: 'ask_changed',
    field: 'starts_at',
  });
}
