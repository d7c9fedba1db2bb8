import { asAt } from '@hearth/addresses';
import { wordsRecorded } from '@hearth/home-acts';
import type { HomeAskPerson } from '@hearth/proto/approvals/v1/home_asks';
import type { JsonObject } from '@hearth/signing';
import type { GivenAnswer, RecipientRow } from '../db/recipients.ts';
import { decisions } from '../domain/enum-names.ts';

/** The answer of a recipient here to an ask of another home. */
export type OwnAnswer = Pick<GivenAnswer, 'decision' | 'answer' | 'note'> & { as: 'person' | 'ai' | null };

/** The answer that a recipient here gave, also while it is on its way; null where they gave none. @param given by the uuid of the act */
export function ownAnswer(
  row: Pick<RecipientRow, 'act' | 'decision' | 'answer' | 'note' | 'answered_as'>,
  given: ReadonlyMap<string, GivenAnswer>,
): OwnAnswer | null {
  const sent = given.get(row.act ?? '');
  if (sent !== undefined) return sent;
  const { answer, answered_as: as, decision, note } = row;
  return as === null ? null : { decision, answer, note, as };
}

/** Whether the home of an ask says of a recipient here what they did not answer, or leaves their answer out once it settled the ask. */
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
  // The no of a rule, or for one who is gone, is no word of theirs.
  if (own === null) return decision === 'approved' || by !== undefined || answer !== null || note !== null;
  return own.decision !== decision || own.answer !== answer || own.note !== note || own.as !== (by ?? own.as);
}

/** Whether each answer in a record of an ask by someone here is the one that they gave. @param answers by their address */
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
