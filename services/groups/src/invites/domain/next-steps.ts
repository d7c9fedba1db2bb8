import type { Approver } from './join-state.ts';

/**
 * The next step for a person who has just used an invite, in a sentence that a child understands.
 *
 * @param waitingFor approvers who have not agreed yet; empty once they are in
 * @param whom name of the child whose guardian accepted; null for a person who accepted themselves
 */
export function nextSteps(group: string, waitingFor: readonly Approver[], whom: string | null): string {
  const [they, are, may] = whom === null ? ['you', 'are', 'you may'] : [whom, 'is', `${whom} may`];
  if (waitingFor.length === 0) return `${upper(they)} ${are} in ${group} now.`;
  const guardian = waitingFor.includes('guardian');
  const organizer = waitingFor.includes('organizer');
  if (guardian && organizer) {
    return `Your guardian is asked first whether ${may} join ${group}. Once they agree, an organizer of the group decides.`;
  }
  if (guardian) {
    return `Your guardian is asked whether ${may} join ${group}. Once they agree, ${they} ${are} in; there is nothing else to do.`;
  }
  return `An organizer of ${group} is asked whether ${may} join. Once they agree, ${they} ${are} in; there is nothing else to do.`;
}

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
