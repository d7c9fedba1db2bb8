import { type Mappers, sentence } from './draft.ts';

const endings: Record<string, string> = {
  approved: 'approved',
  declined: 'declined',
  cancelled: 'taken back',
  expired: 'not answered in time',
};

/** An ask stands in the lists of the asker and of those asked alone: not in that of a group. */
export const approvalEvents: Mappers = {
  approvalRequested: ({ title, to, itemRef, apps }, who) => ({
    action: 'approval.requested',
    summary: sentence(who, `asked: ${title}`, `Asked: ${title}`),
    subjects: [...to, ...apps],
    itemRef,
  }),
  approvalSettled: ({ title, status, asker, askerPerson, to, itemRef, apps }) => ({
    action: `approval.${status}`,
    summary: `${title}: ${endings[status] ?? 'settled'}`,
    subjects: [asker, askerPerson, ...to, ...apps],
    itemRef,
  }),
};
