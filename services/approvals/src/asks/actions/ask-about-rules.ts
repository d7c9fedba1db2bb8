import type { UnitOfWork } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { insertAsks } from '../db/insert-asks.ts';
import { announceAsk } from './announce-ask.ts';
import { type AskContent, askRows, blankContent } from './ask-rows.ts';
import { findAsker } from './find-asker.ts';
import { recordAsked } from './metrics.ts';
import { inInbox } from './place-recipients.ts';

export type AskAboutRules = (
  content: Pick<AskContent, 'id' | 'title' | 'details' | 'asked_at' | 'expires_at'>,
  person: PersonFacts,
  caller: Caller,
  write: (tx: UnitOfWork) => Promise<boolean>,
) => Promise<boolean>;

/**
 * Creates the approval for a proposal of rules, in one transaction with the proposal.
 *
 * @param write writes the proposal and announces it to the person; false if the proposal is not allowed: then
 * nothing is written
 */
export async function askAboutRules(
  context: Context,
  ...[content, person, caller, write]: Parameters<AskAboutRules>
): Promise<boolean> {
  const asker = await findAsker(context, caller);
  const placements = [inInbox(person)];
  const rows = askRows(context, { ...blankContent, ...content, kind: 'rules' }, asker, placements);
  const [requested] = await announceAsk(context, rows, placements, caller);
  const written = await context.commit(async (tx) => {
    if (!(await write(tx))) return false;
    await insertAsks(tx, [{ ...rows, events: [] }]);
    if (requested !== undefined) tx.announce(requested);
    return true;
  });
  if (written) recordAsked({ kind: 'rules' });
  return written;
}
