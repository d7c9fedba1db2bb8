import { notFound } from '@hearth/errors';
import type { HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { requireOtherHome, showHome } from '../actions/show-home.ts';
import type { Context } from '../context.ts';
import { otherHomeChanged } from '../domain/announcements.ts';

/** Forgets a home's keys and log; its policy and people's blocks stay. */
export const beginHomeAnew =
  (context: Context): UnaryHandler<typeof HomesService.method.beginHomeAnew> =>
  async ({ home, reason }, { caller: by }) => {
    const { hooks, known } = context;
    requireOtherHome(home, context);
    if ((await known.find(home)) === null) throw notFound();
    await known.change(home, async (tx, row) => {
      await hooks.beganAnew(tx, home);
      tx.announce(otherHomeChanged(home, 'began_anew', { reason, by }));
      return {
        ...row,
        kept: null,
        goodAt: null,
        freshUntil: null,
        failure: null,
        retryAt: null,
        dueAt: null,
        beganAnewAt: new Date(context.clock.now()),
      };
    });
    return await showHome(context, home);
  };
