import type { ReturnedAct } from '@hearth/home-acts';
import type { UnitOfWork } from '@hearth/outbox';
import type { JsonObject } from '@hearth/signing';
import type { Context } from '../context.ts';
import { findByReference } from '../db/approvals.ts';
import { findLooseActs, keepLooseAct, noteAct } from '../db/home-places.ts';
import { listRecipients, type RecipientRow } from '../db/recipients.ts';
import { isDelivered } from '../domain/answerer.ts';
import { endAct } from './end-act.ts';

/** The answer stands at its place again. The ask may have been lost with it: then its next state finds the act. */
export async function takeReturnedAct(tx: UnitOfWork, act: ReturnedAct): Promise<JsonObject> {
  const approval = await findByReference(tx, act.on);
  const given = givenBy(act) as unknown as JsonObject | null;
  const { actor, viewer } = act;
  const place = approval === null ? null : placeOf({ actor, viewer }, await listRecipients(tx, approval));
  if (place !== null) await noteAct(tx, place, act.id);
  return { approval, viewer, position: place?.position ?? null, given };
}

/** An ask that came anew has the answers that were given before this home was restored from an older state. */
export async function placeLooseActs(
  context: Pick<Context, 'sentActs'>,
  tx: UnitOfWork,
  reference: string,
): Promise<void> {
  const approval = await findByReference(tx, reference);
  for (const act of approval === null ? [] : await findLooseActs(tx, reference)) {
    const { actor, kept } = act;
    const viewer = String(kept['viewer']);
    const place = placeOf({ actor, viewer }, await listRecipients(tx, approval!));
    if (place === null) continue;
    await noteAct(tx, place, act.id);
    const placed = { ...kept, approval, position: place.position };
    await keepLooseAct(tx, act.id, placed);
    if (act.status !== null) await endAct(context, tx, { ...act, kept: placed });
  }
}

/** Null for the no of a rule, which is no answer of theirs. */
function givenBy({ actor, at, by, proof, request, via }: ReturnedAct) {
  const { decision, answer = null, note = null } = request;
  return by === 'rule'
    ? null
    : { decision, answer, note, at: at.toISOString(), by: actor, as: by, via, proof };
}

/** The waiting place of the actor, or of the person that an AI acted for. */
function placeOf(
  { actor, viewer }: Pick<ReturnedAct, 'actor' | 'viewer'>,
  recipients: readonly RecipientRow[],
): RecipientRow | null {
  const waiting = recipients.filter(
    (row) => isDelivered(row) && row.decision === 'waiting' && row.act === null,
  );
  const of = (id: string) => waiting.find(({ recipient }) => recipient === id);
  return of(actor) ?? of(viewer) ?? null;
}
