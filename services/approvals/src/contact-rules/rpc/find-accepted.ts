import { badField } from '@hearth/errors';
import { kindNumber, requestKinds } from '../../shared/domain/request-kinds.ts';
import type { RulesContext } from '../context.ts';
import { findRules } from '../db/rules.ts';
import { rulesFor } from '../domain/rules-of.ts';
import type { RequestRulesHandlers } from './index.ts';

const most = 100;

/** By the rules alone, whoever looks: blocks, caps and acquaintance do not show on a card. */
export const findAccepted =
  ({ database }: Pick<RulesContext, 'database'>): RequestRulesHandlers['findAccepted'] =>
  async ({ people }) => {
    if (people.length > most) throw badField('people', `at most ${most} at once; got ${people.length}`);
    const kept = await findRules(database.db, people);
    return {
      results: people.map((person) => {
        const { rows } = rulesFor(kept.get(person) ?? null, false);
        return { kinds: requestKinds.filter((kind) => rows[kind].action !== 'turn_away').map(kindNumber) };
      }),
    };
  };
