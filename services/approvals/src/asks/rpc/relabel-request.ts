import { badField, forbidden } from '@hearth/errors';
import { type ApprovalsService, RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { actingPerson, type UnaryHandler } from '@hearth/rpc';
import { refuses } from '../../contact-rules/module.ts';
import { kindNameOf, kindValueOf } from '../../shared/domain/request-kinds.ts';
import { findVisible } from '../actions/find-visible.ts';
import { relabelPlaces } from '../actions/relabel-places.ts';
import type { Context } from '../context.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { statusNow } from '../domain/machine.ts';

/**
 * Changes the kind of a request, and of later requests from its sender. If the person's rule for that kind
 * lets nothing in, a waiting request is declined.
 */
export const relabelRequest =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.relabelRequest> =>
  async ({ id, kind }, call) => {
    const { clock, requests, rules } = context;
    if (kind === RequestKind.UNSPECIFIED) throw badField('kind', 'say as which kind it counts');
    const name = kindNameOf(kind);
    const person = actingPerson(call.caller);
    if (!/^(?:apr_|r:)/.test(id)) return await requests.relabel(id, name, call);

    const found = await findVisible(context, id, call.caller);
    const { approval, recipients } = found;
    const isPlace = (recipient: RecipientRow) => recipient.person === person && recipient.owner !== null;
    const place = recipients.find(isPlace);
    if (place === undefined || approval.asker === null)
      throw forbidden('this is no request to you or your person');
    // An ask that waits for a guardian is addressed to the child, so the child's rules apply.
    const subject = place.minor && place.recipient !== null ? place.recipient : person;
    const action = await rules.relabel(subject, approval.asker, name);
    const isRefused = ({ box }: RecipientRow) => refuses(action) && box !== 'inbox';
    const waits = statusNow(approval, clock.now()) === 'waiting';
    const after = waits ? await relabelPlaces(context, approval.id, name, isPlace, isRefused) : found;
    return { id, kind: kindValueOf(name), status: statusNow(after.approval, clock.now()) };
  };
