import { enumNames } from '@hearth/enum-names';
import { HomePolicySchema, type HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { requireOtherHome } from '../actions/show-home.ts';
import type { Context } from '../context.ts';
import { policyFor } from '../domain/policy.ts';

const policies = enumNames(HomePolicySchema);

export const findHomePolicy =
  (context: Context): UnaryHandler<typeof HomesService.method.findHomePolicy> =>
  async ({ home }) => {
    requireOtherHome(home, context);
    const said = (await context.known.find(home))?.policy ?? null;
    return { policy: policies.valueOf(policyFor(context.mode, said)) };
  };
