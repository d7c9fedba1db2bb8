import { isMinor } from '@hearth/people';
import type { RequestKindName } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import { findRules } from '../db/rules.ts';
import { labelSender } from '../db/senders.ts';
import type { RuleAction } from '../domain/rules.ts';
import { rulesFor } from '../domain/rules-of.ts';

/** Labels the sender with that kind for the person. Returns the action of the person's rule for the kind. */
export async function relabel(
  { clock, database, people }: Pick<Context, 'clock' | 'database' | 'people'>,
  person: string,
  sender: string,
  kind: RequestKindName,
): Promise<RuleAction> {
  await database.statement((tx) => labelSender(tx, person, sender, kind, new Date(clock.now())));
  const [rules, facts] = await Promise.all([findRules(database.db, [person]), people.findOne(person)]);
  const minor = facts !== null && isMinor(facts);
  return rulesFor(rules.get(person) ?? null, minor).rows[kind].action;
}
