import { parseId, printId } from '@hearth/ids';
import { OutcomeSchema } from '@hearth/proto/delivery/v1/app_events';
import type { PersonSnapshot } from '@hearth/proto/events/v1/events';
import { draft, type Selectors } from './draft.ts';

/** An ask that ran out of time has no outcome: its asker learns so (ask.answered). */
const outcomes = new Set(['approved', 'declined', 'cancelled']);

export const approvalEvents: Selectors = {
  approvalSettled(value) {
    const { approval, status, title, group, itemRef, approvedBy, about, apps, seq } = value;
    if (!outcomes.has(status)) return [];
    return draft(OutcomeSchema, {
      apps,
      orderKey: group?.id || (parseId('apr', approval) ?? ''),
      needs: { people: [...approvedBy.map(({ id }) => id), about] },
      data(view) {
        // A guardian's yes for a child is shown to apps that hold one of the two.
        const shown = approvedBy.filter(({ id }) => about === '' || view.holds(about) || view.holds(id));
        return {
          kind: 'approval',
          id: approval,
          status,
          ...(group !== undefined && { group: printId('grp', group.id) }),
          title,
          summary: summaryOf(status, shown),
          people: shown.map((person) => {
            const { id, name } = view.person(person);
            return { person: id as string, name: name as string };
          }),
          ...(itemRef !== '' && { itemRef }),
          seq,
        };
      },
    });
  },
};

/** With the names that every reader may see. */
function summaryOf(status: string, approvedBy: readonly PersonSnapshot[]): string {
  if (status === 'cancelled') return 'Taken back by who asked';
  if (status === 'declined') return 'Declined';
  const names = approvedBy.map(({ name }) => name).filter((name) => name !== '');
  const last = names.pop();
  if (last === undefined) return 'Approved';
  return `Approved by ${names.length === 0 ? last : `${names.join(', ')} and ${last}`}`;
}
