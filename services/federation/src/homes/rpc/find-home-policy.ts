import type { HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { requireOtherHome } from '../actions/show-home.ts';
import type { Context } from '../context.ts';
import { policyFor, policyShown } from '../domain/policy.ts';

export const findHomePolicy =
  (context: Context): UnaryHandler<typeof HomesService.method.findHomePolicy> =>
  async ({ home }) => {
    requireOtherHome(home, context);
    const said = await context.known.wordAbout(home);
    return { policy: policyShown(policyFor(context.mode, said)) };
  };
