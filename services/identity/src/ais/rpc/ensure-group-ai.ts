import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { ensureGroupAi as ensure } from '../actions/group-ais.ts';

/** Makes the AI that runs a group, unless it is there. */
export function ensureGroupAi(context: Context): UnaryHandler<typeof AisService.method.ensureGroupAi> {
  return async ({ ai, group, handle, name, app }) => ({
    address: await ensure(context, { ai, group, handle, name, app }),
  });
}
