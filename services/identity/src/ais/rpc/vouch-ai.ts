import { cleanLine } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { badRequest, notFound } from '@hearth/errors';
import { limitFor } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { recordVouch } from '../../shared/actions/metrics.ts';
import { updateStatus } from '../../shared/db/ai-changes.ts';
import { type AiRow, lockAi } from '../../shared/db/ais.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { countVouchesOf, findVouch, upsertVouch, type VouchRow } from '../../shared/db/vouches.ts';
import { aiChanged, aiClaimed } from '../../shared/domain/ai-events.ts';
import { ownAct, requireMayVouch } from '../../shared/domain/own-act.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { findVisibleAi } from '../actions/managed-ai.ts';
import type { Context } from '../context.ts';

/** Records a person's vouch for an AI without an owner. */
export const vouchAi =
  (context: Context): UnaryHandler<typeof AisService.method.vouchAi> =>
  async (request, call) => {
    const person = ownAct(call.caller);
    const ai = await findVisibleAi(context, request.id, call);
    requireOwnerless(ai);
    const vouch: VouchRow = {
      ai: ai.id,
      person,
      note: cleanLine(request.note ?? ''),
      private: request.private ?? false,
    };
    const vouched = await context.commit((tx) => store(context, tx, vouch, call.caller));
    if (vouched.changed) recordVouch({ given: true });
    return toAi(vouched.ai, 'stranger');
  };

function requireOwnerless({ status }: AiRow): void {
  if (status !== 'claimed') return;
  throw badRequest('somebody answers for this AI already; people vouch for AIs without an owner', {
    code: 'already_settled',
  });
}

async function store(
  { clock, limits, people }: Context,
  tx: UnitOfWork,
  vouch: VouchRow,
  caller: Caller,
): Promise<{ ai: AiRow; changed: boolean }> {
  // Locking the person first serializes their vouches, so that the limit holds.
  const person = await lockPerson(tx, vouch.person);
  if (person === null) throw notFound();
  const facts = people.toFacts(person);
  requireMayVouch(caller, toOwner(facts));
  const ai = await lockAi(tx, vouch.ai);
  if (ai === null || ai.revokedAt !== null) throw notFound();
  requireOwnerless(ai);
  const before = await findVouch(tx, vouch.ai, vouch.person);
  if (before?.note === vouch.note && before.private === vouch.private) return { ai, changed: false };
  const most = limitFor(limits, 'vouches_a_person', 'claimed') ?? Number.POSITIVE_INFINITY;
  if (before === null && (await countVouchesOf(tx, vouch.person)) >= most) {
    throw badRequest(`you vouch for ${most} AIs, which is the most; take one back first`, {
      code: 'cap_reached',
    });
  }
  await upsertVouch(tx, vouch, nowDate(clock));
  if (ai.status !== 'vouched') await updateStatus(tx, ai.id, 'vouched');
  const vouched: AiRow = { ...ai, status: 'vouched' };
  // An anonymous voucher stays anonymous.
  const by = vouch.private ? undefined : caller;
  const apps = facts.app === '' ? [] : [facts.app];
  tx.announce(
    ai.status === 'vouched'
      ? aiChanged(vouched, ['vouched_by'], by)
      : aiClaimed(vouched, { person: vouch.person, apps }, by),
  );
  tx.signal('credentials', ai.id);
  return { ai: vouched, changed: true };
}
