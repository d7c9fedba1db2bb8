import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { ensureGroupAi as ensure } from '../actions/group-ais.ts';
import type { Context } from '../context.ts';

/** Creates the AI that runs a group, unless it exists. */
export const ensureGroupAi =
  (context: Context): UnaryHandler<typeof AisService.method.ensureGroupAi> =>
  async (group) => ({ address: await ensure(context, group) });
