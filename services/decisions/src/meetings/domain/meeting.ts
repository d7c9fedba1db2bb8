import { badField, badRequest, forbidden, type HearthError } from '@hearth/errors';

/** Which side: 0 offered the time, 1 booked it. */
export type Side = 0 | 1;

export interface Move {
  by: Side;
  /** Milliseconds since 1970, as everywhere here. */
  starts: number;
  ends: number;
  reason: string;
  /** When it was proposed. */
  at: number;
  /** The act of another home that proposes it, as JSON. */
  item?: string | undefined;
  /** The message (msg_) that tells the other side, where that is of another home. */
  message?: string | undefined;
}

/** A meeting, without its words. */
export interface Course {
  status: 'booked' | 'cancelled';
  starts: number;
  ends: number;
  sequence: number;
  /** When it was to start before it was moved last. */
  movedFrom: number | null;
  move: Move | null;
  /** The side that called it off; null: the home, where a side is gone. */
  cancelledBy: Side | null;
  reason: string;
}

export type MeetingAct =
  | { kind: 'propose'; move: Move }
  /** The time as the side saw it, where it says so. */
  | { kind: 'accept'; by: Side; starts?: number | undefined; ends?: number | undefined }
  /** Null: the home, which says why. */
  | { kind: 'decline'; by: Side | null; reason?: string }
  | { kind: 'cancel'; by: Side | null; reason: string };

/**
 * The meeting after an act; the same object where the act changes nothing: what is off is called off again, or what is proposed
 * proposed again.
 *
 * @throws bad_request (already_settled, not_waiting, ask_changed), bad_field, forbidden for who accepts their own move
 */
export function nextMeeting(meeting: Course, act: MeetingAct, at: number): Course {
  if (act.kind === 'cancel' && meeting.status === 'cancelled') return meeting;
  requireAhead(meeting, at);
  const { move, sequence } = meeting;
  switch (act.kind) {
    case 'propose':
      if (act.move.starts === meeting.starts && act.move.ends === meeting.ends)
        throw badField('starts_at', 'must be another time than it has now');
      if (move !== null && isSameMove(move, act.move)) return meeting;
      return { ...meeting, move: act.move, reason: '' };
    case 'accept':
      if (move === null) throw noMove();
      if (move.by === act.by) throw forbidden('the other side accepts the time that you propose');
      if ((act.starts ?? move.starts) !== move.starts || (act.ends ?? move.ends) !== move.ends)
        throw otherMove();
      if (move.starts <= at) throw notWaiting('the time that was proposed is over; propose another');
      return {
        ...meeting,
        ...{ starts: move.starts, ends: move.ends, move: null, reason: '' },
        movedFrom: meeting.starts,
        sequence: sequence + 1,
      };
    case 'decline':
      if (move === null) throw noMove();
      return { ...meeting, move: null, reason: act.reason ?? '' };
    case 'cancel':
      return {
        ...meeting,
        status: 'cancelled',
        ...{ cancelledBy: act.by, reason: act.reason, move: null },
        sequence: sequence + 1,
      };
  }
}

export function statusAt({ status, ends }: Pick<Course, 'status' | 'ends'>, at: number) {
  return status === 'booked' && ends <= at ? 'past' : status;
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
  if (status === 'booked') return;
  const words = status === 'past' ? 'over' : 'called off';
  throw badRequest(`this meeting is ${words}, and nothing can be changed about it`, {
    code: 'already_settled',
  });
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

function notWaiting(words: string): HearthError {
  return badRequest(`this is not what the meeting waits for: ${words}`, { code: 'not_waiting' });
}
