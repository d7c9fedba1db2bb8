import { cleanLine } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badRequest, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Call, Caller, UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { recordVouch } from '../../shared/actions/metrics.ts';
import { updateStatus } from '../../shared/db/ai-changes.ts';
import { type AiRow, lockAi } from '../../shared/db/ais.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { countVouchesOf, findVouch, upsertVouch, type VouchRow } from '../../shared/db/vouches.ts';
import { aiChanged, aiClaimed } from '../../shared/domain/ai-events.ts';
import { ownAct, requireAdult } from '../../shared/domain/own-act.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { findNamedAi } from '../actions/managed-ai.ts';

/** Notes a person's word for an AI that nobody owns. */
export function vouchAi(context: Context): UnaryHandler<typeof AisService.method.vouchAi> {
  const { bus, database, outbox } = context;
  return async (request, call) => {
    const person = ownAct(call.caller);
    const ai = await findVisibleAi(context, request.id, call);
    requireOwnerless(ai);
    const vouch: VouchRow = {
      ai: ai.id,
      person,
      note: cleanLine(request.note ?? ''),
      private: request.private ?? false,
    };
    const vouched = await database.transaction((tx) => store(context, tx, vouch, call.caller));
    outbox.committed(vouched.rows);
    if (vouched.rows.length > 0) {
      credentialsChanged(bus, ai.id);
      recordVouch({ given: true });
    }
    return toAi(vouched.ai, 'stranger');
  };
}

/** An AI that there is for the caller. @throws not_found */
export async function findVisibleAi(context: Context, reference: string, call: Call): Promise<AiRow> {
  const ai = await findNamedAi(context, reference, call.caller);
  if (ai === null || ai.revokedAt !== null) throw notFound();
  if ((await context.sights.ofAi(ai, false, call)) === null) throw notFound();
  return ai;
}

function requireOwnerless({ status }: AiRow): void {
  if (status !== 'claimed') return;
  throw badRequest('somebody answers for this AI already; people vouch for AIs that nobody owns');
}

async function store(
  { clock, limits, outbox, people }: Context,
  tx: Tx,
  vouch: VouchRow,
  caller: Caller,
): Promise<{ ai: AiRow; rows: OutboxRow[] }> {
  // Locked first, a person gives one word after the other and never more than they may.
  const person = await lockPerson(tx, vouch.person);
  if (person === null) throw notFound();
  const facts = people.toFacts(person);
  requireAdult(caller, toOwner(facts), 'vouch for an AI');
  const ai = await lockAi(tx, vouch.ai);
  if (ai === null || ai.revokedAt !== null) throw notFound();
  requireOwnerless(ai);
  const before = await findVouch(tx, vouch.ai, vouch.person);
  if (before?.note === vouch.note && before.private === vouch.private) return { ai, rows: [] };
  if (before === null && (await countVouchesOf(tx, vouch.person)) >= limits.vouchesAPerson) {
    throw badRequest(`you vouch for ${limits.vouchesAPerson} AIs, which is the most; take one back first`, {
      code: 'cap_reached',
    });
  }
  await upsertVouch(tx, vouch, nowDate(clock));
  if (ai.status !== 'vouched') await updateStatus(tx, ai.id, 'vouched');
  const vouched: AiRow = { ...ai, status: 'vouched' };
  // Who vouches without a name is told to nobody.
  const by = vouch.private ? undefined : caller;
  const apps = facts.app === '' ? [] : [facts.app];
  const row =
    ai.status === 'vouched'
      ? aiChanged(outbox, vouched, ['vouched_by'], by)
      : aiClaimed(outbox, vouched, { person: vouch.person, apps }, by);
  await outbox.announce(tx, [row]);
  return { ai: vouched, rows: [row] };
}
