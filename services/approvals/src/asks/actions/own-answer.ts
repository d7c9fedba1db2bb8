import { asAt } from '@hearth/addresses';
import { wordsRecorded } from '@hearth/home-acts';
import type { HomeAskPerson } from '@hearth/proto/approvals/v1/home_asks';
import type { JsonObject } from '@hearth/signing';
import type { GivenAnswer, RecipientRow } from '../db/recipients.ts';
import { decisions } from '../domain/enum-names.ts';

/** A local recipient's answer to an ask of another home. */
export type OwnAnswer = Pick<GivenAnswer, 'decision' | 'answer' | 'note'> & { as: 'person' | 'ai' | null };

/**
 * The answer that a local recipient gave, including one still in flight; null if there is none. @param given
 * answers by the uuid of their act
 */
export function ownAnswer(
  row: Pick<RecipientRow, 'act' | 'decision' | 'answer' | 'note' | 'answered_as'>,
  given: ReadonlyMap<string, GivenAnswer>,
): OwnAnswer | null {
  const sent = given.get(row.act ?? '');
  if (sent !== undefined) return sent;
  const { answer, answered_as: as, decision, note } = row;
  return as === null ? null : { decision, answer, note, as };
}

/**
 * Whether the ask's home reports a different answer for a local recipient than theirs, or leaves their answer
 * out after it settled the ask.
 */
export function isOtherAnswer(
  row: Pick<RecipientRow, 'act' | 'recipient'>,
  said: HomeAskPerson | undefined,
  own: OwnAnswer | null,
  settled: boolean,
): boolean {
  if (row.recipient === null || said === undefined) return false;
  const { answer = null, by, note = null } = said;
  const decision = decisions.nameOf(said.decision ?? 0);
  if (decision !== 'approved' && decision !== 'declined') return settled && own !== null && row.act === null;
  // A no by a rule, or for a recipient who is gone, is not their own answer.
  if (own === null) return decision === 'approved' || by !== undefined || answer !== null || note !== null;
  return own.decision !== decision || own.answer !== answer || own.note !== note || own.as !== (by ?? own.as);
}

/**
 * Whether every answer of a local recipient in the ask's record is the answer they gave. @param answers by
 * address
 */
export function isAsAnswered(
  record: JsonObject,
  answers: ReadonlyMap<string, OwnAnswer>,
  ownHome: string,
): boolean {
  return wordsRecorded(record, ownHome).every(({ address, isGivenBy }) => {
    const own = answers.get(asAt(address, ownHome));
    if (own === undefined || isGivenBy === null) return false;
    const { answer, as, decision, note } = own;
    const said = { viewer: '', from: null, status: null, byAi: as === 'ai' };
    const request = { decision, ...(answer !== null && { answer }), ...(note !== null && { note }) };
    return isGivenBy([{ ...said, operation: 'reply_approval', request }]);
  });
}
