import { storeTexts, t, verbatim } from '@hearth/i18n';
import type { Approver } from './join-state.ts';

/**
 * The next step for a person who has just used an invite, in a sentence that a child understands.
 *
 * @param waitingFor approvers who have not agreed yet; empty once they are in
 * @param child name of the child whose guardian accepted; null for a person who accepted themselves
 */
export function nextSteps(group: string, waitingFor: readonly Approver[], child: string | null) {
  const whom = child === null ? 'you' : 'other';
  const values = { whom, name: verbatim(child ?? ''), group: verbatim(group) } as const;
  return storeTexts({ next: t(`invites.next.${stepOf(waitingFor)}`, values) });
}

/** The next step while the answer of the invite's home hasn't arrived. */
export const nextElsewhere = (home: string) => storeTexts({ next: t('invites.next.on-its-way', { home }) });

function stepOf(waitingFor: readonly Approver[]) {
  const organizer = waitingFor.includes('organizer');
  if (waitingFor.includes('guardian')) return organizer ? 'guardian-first' : 'guardian';
  return organizer ? 'organizer' : 'joined';
}
