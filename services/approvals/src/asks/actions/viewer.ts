import { type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';

/** By whom approvals are looked at. */
export interface Viewer {
  /** uuids of the person and the AI in whose lists things stand. */
  owners: string[];
  /** uuid of an app that acts for nobody: it sees what was asked through it. */
  app: string | null;
}

export function viewing(caller: Caller): Viewer {
  if (caller.kind === callerKinds.APP) return { owners: [], app: caller.id };
  const person = personOf(caller);
  return { owners: [...new Set([caller.id, ...(person === null ? [] : [person])])], app: null };
}

/** Whether it was asked by the viewer, or by whom they act for. */
export function isAsker({ owners, app }: Viewer, { asker, asker_person, asker_app }: ApprovalRow): boolean {
  if (app !== null) return asker_app === app;
  return [asker, asker_person].some((id) => id !== null && owners.includes(id));
}

/** Whether somebody may see an approval: who asked, and those who are asked; of an AI its owner too. */
export function maySee(viewer: Viewer, approval: ApprovalRow, recipients: readonly RecipientRow[]): boolean {
  return (
    isAsker(viewer, approval) || recipients.some((recipient) => reaches(recipient) && isOf(viewer, recipient))
  );
}

/** What was declined by a rule, or turned away, is not theirs to see. */
function reaches({ handling }: RecipientRow): boolean {
  return handling !== 'declined' && handling !== 'turned_away';
}

function isOf({ owners }: Viewer, { recipient, person, owner }: RecipientRow): boolean {
  return [recipient, person, owner].some((id) => id !== null && owners.includes(id));
}
