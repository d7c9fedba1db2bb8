import { badRequest, type HearthError } from '@hearth/errors';

export type Status = 'waiting' | 'approved' | 'declined' | 'cancelled' | 'expired';
export type Decision = 'waiting' | 'approved' | 'declined';
/** Why a recipient counts as having declined without an answer. */
export type Why = 'by_rule' | 'blocked' | 'recipient_gone';

/** A recipient. */
export interface Asked {
  position: number;
  decision: Decision;
  why: Why | null;
  /**
   * Shared by recipients who answer for one another: a child's guardians, a group's organizers. Null for a
   * recipient who answers alone.
   */
  voice?: string | null;
}

/** The part of an approval that decides its outcome. */
export interface Course {
  status: Status;
  needs: 'any' | 'all';
  /** Why it was declined, if no recipient declined it themselves. */
  why: Why | null;
  /** At least one. */
  asked: readonly Asked[];
}

export type Act =
  | { kind: 'answer'; position: number; decision: 'approved' | 'declined' }
  /** These recipients will not answer, and count as having declined. */
  | { kind: 'drop'; positions: readonly number[]; why: Why }
  /**
   * An answer given elsewhere settles it; `position` is the place of the person who gave it, if they were
   * asked.
   */
  | { kind: 'settle'; position: number | null; decision: 'approved' | 'declined' }
  | { kind: 'cancel' }
  | { kind: 'expire' };

/**
 * Returns the course after an act. Returns the same object if nothing changes: cancelling twice is harmless,
 * and a settled approval neither expires nor loses recipients.
 *
 * @throws bad_request (already_settled) for a late answer, and for cancelling after another outcome
 */
export function next(course: Course, act: Act): Course {
  switch (act.kind) {
    case 'answer':
      return answered(course, act.position, act.decision);
    case 'drop':
      return dropped(course, act.positions, act.why);
    case 'settle':
      return settledElsewhere(course, act.position, act.decision);
    case 'cancel':
      if (course.status === 'cancelled') return course;
      if (course.status !== 'waiting') throw settledAlready(course.status);
      return { ...course, status: 'cancelled' };
    case 'expire':
      return course.status === 'waiting' ? { ...course, status: 'expired' } : course;
  }
}

function answered(course: Course, position: number, decision: Decision): Course {
  const ask = course.asked.find((asked) => asked.position === position);
  if (ask === undefined) throw new RangeError(`nobody at ${position} is asked`);
  if (course.status !== 'waiting') throw settledAlready(course.status);
  if (ask.decision !== 'waiting') {
    throw badRequest('this was answered already; an answer is final', { code: 'already_settled' });
  }
  return settled(replaced(course, [position], decision, null));
}

function settledElsewhere(
  course: Course,
  position: number | null,
  decision: 'approved' | 'declined',
): Course {
  if (course.status !== 'waiting') return course;
  const asked = position === null ? course.asked : replaced(course, [position], decision, null).asked;
  return { ...course, asked, status: decision };
}

function dropped(course: Course, positions: readonly number[], why: Why): Course {
  if (course.status !== 'waiting') return course;
  const open = course.asked
    .filter(({ position, decision }) => decision === 'waiting' && positions.includes(position))
    .map(({ position }) => position);
  return open.length === 0 ? course : settled(replaced(course, open, 'declined', why));
}

function replaced(course: Course, positions: readonly number[], decision: Decision, why: Why | null): Course {
  const asked = course.asked.map((ask) =>
    positions.includes(ask.position) ? { ...ask, decision, why } : ask,
  );
  return { ...course, asked };
}

/** The course with the status that its answers give. */
export function settled(course: Course): Course {
  const status = outcomeOf(course.needs, decisionsIn(course));
  if (status !== 'declined') return { ...course, status };
  const declined = course.asked.filter(({ decision }) => decision === 'declined');
  const byNobody = declined.every(({ why }) => why !== null);
  return { ...course, status, why: byNobody ? (declined.at(-1)?.why ?? null) : null };
}

/** If one yes is enough, a no counts for every recipient with the same voice. */
function decisionsIn({ asked, needs }: Course): Decision[] {
  const noes = asked.filter(
    ({ decision, why }) => needs === 'any' && decision === 'declined' && why === null,
  );
  const said = new Set(noes.flatMap(({ voice }) => voice ?? []));
  return asked.map(({ decision, voice }) =>
    decision === 'waiting' && said.has(voice ?? '') ? 'declined' : decision,
  );
}

/** any: one yes approves, and everyone's no declines. all: everyone's yes approves, and one no declines. */
export function outcomeOf(needs: 'any' | 'all', decisions: readonly Decision[]): Status {
  const [enough, other] =
    needs === 'any' ? (['approved', 'declined'] as const) : (['declined', 'approved'] as const);
  if (decisions.includes(enough)) return enough;
  return decisions.every((decision) => decision === other) ? other : 'waiting';
}

export function settledAlready(status: Status): HearthError {
  return badRequest(`this is ${status} already, and nothing can be changed about it`, {
    code: 'already_settled',
  });
}

/** The status at a moment: an overdue approval counts as expired, even before the job has stored it. */
export function statusNow({ status, expires_at }: { status: Status; expires_at: Date }, now: number): Status {
  return status === 'waiting' && expires_at.getTime() <= now ? 'expired' : status;
}

/** Whether it has expired without being settled. */
export function isDue(approval: { status: Status; expires_at: Date }, now: number): boolean {
  return approval.status !== statusNow(approval, now);
}
