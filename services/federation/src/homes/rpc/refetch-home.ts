import type { HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { requireTalks } from '../actions/require-talks.ts';
import { requireOtherHome, showHome } from '../actions/show-home.ts';
import type { Context } from '../context.ts';

/** The answer shows the outcome, even if the fetch failed. */
export const refetchHome =
  (context: Context): UnaryHandler<typeof HomesService.method.refetchHome> =>
  async ({ home }) => {
    requireOtherHome(home, context);
    await requireTalks(context, home);
    await context.known.look(home, 'operator', null);
    return await showHome(context, home);
  };
