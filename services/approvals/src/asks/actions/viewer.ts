import { forbidden } from '@hearth/errors';
import { type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { isDelivered } from '../domain/answerer.ts';

/** The caller as a viewer of approvals. */
export interface Viewer {
  /** uuids of the person and the AI whose lists they see. */
  owners: string[];
  /** uuid of an app that acts for no one: it sees asks made through it. */
  app: string | null;
}

export function viewing(caller: Caller): Viewer {
  if (caller.kind === callerKinds.APP) return { owners: [], app: caller.id };
  return { owners: [...new Set([caller.id, personOf(caller) ?? caller.id])], app: null };
}

/** Whether the viewer, or their person, asked. */
export function isAsker({ owners, app }: Viewer, { asker, asker_person, asker_app }: ApprovalRow): boolean {
  if (app !== null) return asker_app === app;
  return [asker, asker_person].some((id) => id !== null && owners.includes(id));
}

/** Whether the viewer may see an approval: as asker, as recipient, or as the owner of an AI that is either. */
export function maySee(viewer: Viewer, approval: ApprovalRow, recipients: readonly RecipientRow[]): boolean {
  const isTheirs = ({ recipient, person, owner }: RecipientRow) =>
    [recipient, person, owner].some((id) => id !== null && viewer.owners.includes(id));
  return (
    isAsker(viewer, approval) || recipients.some((recipient) => isDelivered(recipient) && isTheirs(recipient))
  );
}

/** @throws forbidden unless the caller is the asker or the asker's person */
export function requireAsker({ asker, asker_person }: ApprovalRow, caller: Caller, what: string): void {
  if (caller.id === asker) return;
  if (caller.kind === callerKinds.PERSON && caller.id === asker_person) return;
  throw forbidden(`only who asked, or the person behind, can ${what}`);
}
