import type { HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { requireOtherHome, showHome } from '../actions/show-home.ts';
import type { Context } from '../context.ts';
import { otherHomeChanged } from '../domain/announcements.ts';
import { policySaid } from '../domain/policy.ts';

/** A home that was never seen is stored with its policy only. */
export const setHomePolicy =
  (context: Context): UnaryHandler<typeof HomesService.method.setHomePolicy> =>
  async ({ home, mode, reason }, { caller: by }) => {
    requireOtherHome(home, context);
    const said = policySaid(mode);
    await context.known.change(home, async (tx, row) => {
      if (row.policy !== said) tx.announce(otherHomeChanged(home, said ?? 'unset', { reason, by }));
      return { ...row, policy: said };
    });
    return await showHome(context, home);
  };
