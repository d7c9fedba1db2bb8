import type { Word } from './join-state.ts';

/**
 * What happens next, for who has just come by an invite, in a sentence that a child understands too.
 *
 * @param waitingFor whose word is still to come; none when they are in
 * @param whom the name of somebody under 18 for whom their guardian came; null for who came themselves
 */
export function nextWords(group: string, waitingFor: readonly Word[], whom: string | null): string {
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
