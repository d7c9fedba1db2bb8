import { enumNames } from '@hearth/enum-names';
import { HomePolicy, HomePolicySchema, type HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { requireOtherHome, showHome } from '../actions/show-home.ts';
import type { Context } from '../context.ts';
import { otherHomeChanged } from '../domain/announcements.ts';
import type { Policy } from '../domain/policy.ts';

const policies = enumNames(HomePolicySchema);

/** Also of a home that was never seen: it is kept with its policy alone. */
export const setHomePolicy =
  (context: Context): UnaryHandler<typeof HomesService.method.setHomePolicy> =>
  async ({ home, policy, reason }, { caller: by }) => {
    requireOtherHome(home, context);
    const said = policy === HomePolicy.UNSET ? null : (policies.nameOf(policy) as Policy);
    await context.known.change(home, async (tx, row) => {
      if (row.policy !== said) tx.announce(otherHomeChanged(home, said ?? 'unset', { reason, by }));
      return { ...row, policy: said };
    });
    return await showHome(context, home);
  };
