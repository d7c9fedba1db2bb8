import { AisService } from '@hearth/proto/identity/v1/ais';
import type { Host } from '@hearth/runtime';
import type { Context } from '../directory/context.ts';
import { followGroups, groupEvents } from './actions/group-ais.ts';
import { aisHandlers } from './handlers.ts';

/** AIs of people and of groups. */
export function startAis(host: Host, context: Context): void {
  host.serve(AisService, aisHandlers(context));
  host.hear({
    durable: 'group-ais',
    types: groupEvents,
    handle: (heard) => followGroups(context, heard),
  });
}
