import { badField } from '@hearth/errors';
import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { UnaryHandler } from '@hearth/rpc';
import { kindValueOf, requestKinds } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import { findRules } from '../db/rules.ts';
import { rulesFor } from '../domain/rules-of.ts';

const most = 100;

/**
 * Depends on the rules only, so every viewer of a card sees the same: it reveals no blocks, caps or
 * acquaintance.
 */
export const findAccepted =
  ({ database }: Context): UnaryHandler<typeof RequestRulesService.method.findAccepted> =>
  async ({ people }) => {
    if (people.length > most) throw badField('people', `at most ${most} at once; got ${people.length}`);
    const kept = await findRules(database.db, people);
    return {
      results: people.map((person) => {
        const { rows } = rulesFor(kept.get(person) ?? null, false);
        return { kinds: requestKinds.filter((kind) => rows[kind].action !== 'turn_away').map(kindValueOf) };
      }),
    };
  };
