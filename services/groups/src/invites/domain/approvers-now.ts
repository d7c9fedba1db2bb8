import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type AgeRules, joining } from '../../shared/domain/fits.ts';
import type { JoinRequest } from '../db/join-requests.ts';
import { type Approver, waitingFor } from './join-state.ts';

/**
 * The join request under current roles: whether a guardian must agree follows from the group's settings and
 * the joiner's age, and a guardian's agreement counts only while they are the joiner's guardian. Used by
 * everything that shows, asks or answers.
 */
export function withApproversNow<Join extends JoinRequest>(
  group: AgeRules,
  join: Join,
  joiner: PersonFacts,
): Join {
  const needs = joining(group, joiner) === 'with_guardian';
  const stands = needs && join.guardian !== null && joiner.guardians.includes(join.guardian);
  return {
    ...join,
    needs_guardian: needs,
    guardian: stands ? join.guardian : null,
    guardian_at: stands ? join.guardian_at : null,
  };
}

/** The approver to ask next, guardian before organizers. Without a guardian, there is none to ask first. */
export function nextApprover(join: JoinRequest, { guardians }: PersonFacts): Approver | null {
  const left = waitingFor(join);
  if (left.includes('guardian') && guardians.length > 0) return 'guardian';
  return left[0] ?? null;
}
