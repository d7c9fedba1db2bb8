import { actorOf, homesOf, type OutgoingState } from '@hearth/home-acts';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { AgreementSchema } from '@hearth/proto/decisions/v1/agreements';
import type { Context } from '../context.ts';
import { type AgreementRow, findAgreement } from '../db/agreements.ts';
import type { AgreementParty } from '../domain/agreement.ts';
import { callerOf } from './errands.ts';
import type { AgreementCopies } from './home-agreements.ts';
import { showAgreement } from './show-agreements.ts';

/** The event that sends the new state to the remote sides' homes; empty if every side is local. */
export function stateDue(copies: Pick<AgreementCopies, 'due'>, { id, sides }: AgreementRow): Announcement[] {
  return sides.some(({ home }) => home !== undefined) ? [copies.due(id)] : [];
}

/** A local agreement (uuid) as sent to the homes of its sides; null if it does not exist. */
export async function agreementForHomes(
  context: Pick<Context, 'config' | 'database' | 'homeNames' | 'sealer'>,
  id: string,
): Promise<OutgoingState<typeof AgreementSchema> | null> {
  const row = await findAgreement(context.database.db, id);
  if (row === null) return null;
  const told = row.sides.filter(({ box }) => box !== 'refused');
  const shown = showAgreement(context, row, { id: '' });
  const [starter] = row.sides as [AgreementParty];
  return {
    id: printId('agr', id),
    message: shown,
    final: row.status === 'declined' || row.signed_settlement !== null,
    spare: ['record', 'settlement'],
    homes: homesOf(told.map(({ address, home = '' }) => ({ home, address }))),
    from: actorOf(callerOf(starter)),
    expiresAt: row.status === 'open' ? row.sign_by : undefined,
  };
}
