import type { HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { checkHome as check } from '../actions/check-home.ts';
import type { Context } from '../context.ts';

export const checkHome =
  (context: Context): UnaryHandler<typeof HomesService.method.checkHome> =>
  async ({ home }) => ({ checks: await check(context, home) });
