import { badField, forbidden } from '@hearth/errors';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { actingPerson } from '@hearth/rpc';
import { kindNumber, kindWord } from '../../shared/domain/request-kinds.ts';
import { changeApproval } from '../actions/change-approval.ts';
import { findVisible } from '../actions/find-visible.ts';
import { statusNow } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import { type RecipientRow, relabelRecipient } from '../db/recipients.ts';
import type { ApprovalsHandlers } from './index.ts';

/**
 * Says what kind of request it is: its sender counts as that kind from then on. Where the person's rule for the kind lets
 * nothing in, a request that waits is declined.
 */
export const relabelRequest =
  (context: Context): ApprovalsHandlers['relabelRequest'] =>
  async ({ id, kind }, call) => {
    if (kind === RequestKind.UNSPECIFIED) throw badField('kind', 'say as which kind it counts');
    const word = kindWord(kind);
    const person = actingPerson(call.caller);
    if (!/^(?:apr_|r:)/.test(id)) return await context.rules.relabelOther(id, word, call);

    const found = await findVisible(context, id, call.caller);
    const { approval, recipients } = found;
    const isPlace = (one: RecipientRow) => one.person === person && one.owner !== null;
    const place = recipients.find(isPlace);
    if (place === undefined || approval.asker === null)
      throw forbidden('this is no request to you or your person');
    // What waits at a guardian is asked of the child, and the child's rules are what counts.
    const whose = place.minor && place.recipient !== null ? place.recipient : person;
    const action = await context.rules.relabel(whose, approval.asker, word);
    const refuses = action === 'decline' || action === 'turn_away';
    let after = found;
    if (statusNow(approval, context.clock.now()) === 'waiting') {
      after = await changeApproval(context, approval.id, async (_, now, tx) => {
        const places = now.filter((one) => isPlace(one) && one.decision === 'waiting');
        for (const place of places) await relabelRecipient(tx, place, word);
        const refused = refuses ? places.filter(({ box }) => box !== 'inbox') : [];
        if (refused.length === 0) return null;
        const positions = refused.map(({ position }) => position);
        return { act: { kind: 'drop', positions, why: 'by_rule' }, by: null };
      });
    }
    return { id, kind: kindNumber(word), status: statusNow(after.approval, context.clock.now()) };
  };
