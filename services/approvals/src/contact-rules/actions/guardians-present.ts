import { isSuspended } from '@hearth/people';
import type { PolicyContext } from '../context.ts';
import { readStanding } from '../db/standing.ts';
import type { Decision } from '../domain/contact-policy.ts';
import { blockQuestion, type Contact } from './contact-facts.ts';

/**
 * Hands contacts with a child to another guardian while the responsible one is suspended, unless that
 * guardian blocks the sender. Checked only for senders who get through, so that refusals make the same calls
 * for a child as for an adult.
 */
export async function toGuardiansPresent(
  { clock, database, homeNames, people }: PolicyContext,
  contacts: readonly Contact[],
  decided: readonly Decision[],
): Promise<Decision[]> {
  const several = contacts.flatMap(({ guardians }, index) =>
    guardians.length > 1 && guardianIn(decided[index]!) !== null ? guardians : [],
  );
  if (several.length === 0) return [...decided];
  const known = await people.find(several);
  const isPresent = (id: string) => {
    const facts = known.get(id);
    return facts !== undefined && !isSuspended(facts, clock.now());
  };
  const moves = contacts.flatMap(({ attempt, guardians }, index) => {
    const guardian = guardianIn(decided[index]!);
    const other = guardian === null || isPresent(guardian) ? undefined : guardians.find(isPresent);
    return other === undefined
      ? []
      : [{ index, other, question: blockQuestion(attempt, [other], homeNames) }];
  });
  if (moves.length === 0) return [...decided];
  const blocks = moves.map(({ question }) => question);
  const { blocked } = await readStanding(database.db, { people: [], blocks, pairs: [] });
  const others = new Map(
    moves.flatMap(({ index, other }, nth) => (blocked[nth] ? [] : [[index, other] as const])),
  );
  return decided.map((decision, index) => {
    const guardian = others.get(index);
    return guardian === undefined || decision.how !== 'requests' ? decision : { ...decision, guardian };
  });
}

const guardianIn = (decision: Decision) => (decision.how === 'requests' ? decision.guardian : null);
