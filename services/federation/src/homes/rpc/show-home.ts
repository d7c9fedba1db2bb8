import type { HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { showHome as show } from '../actions/show-home.ts';
import type { Context } from '../context.ts';

export const showHome =
  (context: Context): UnaryHandler<typeof HomesService.method.showHome> =>
  async ({ home }) =>
    await show(context, home);
