import { minute } from '@hearth/clock';
import { AisService } from '@hearth/proto/identity/v1/ais';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';
import { nextRestored } from '../shared/db/ais.ts';
import { followGroups, groupEvents } from './consumers/on-group.ts';
import type { Context } from './context.ts';
import { endSuspensions } from './jobs/end-suspensions.ts';

export { appsOf, findManagedAi, isOwnWord, lockManagedAi, type ManagedAi } from './actions/managed-ai.ts';
export { insertOwnedAi, newAi, requireRoomForAi } from './actions/own-ai.ts';
export { partWithAis, releaseAisOf, revokeLocked } from './actions/part-with-ais.ts';

/** AIs of people and of groups. */
export async function startAis(host: Host, parts: IdentityParts): Promise<void> {
  const context: Context = { ...host, ...parts, idempotency: host.idempotency() };
  await host.serveRpcs(AisService, import.meta.url, context);
  host.whenDue('end-suspensions', minute, { sql: nextRestored }, () => endSuspensions(context));
  host.consume({
    durable: 'group-ais',
    types: groupEvents,
    handle: (events) => followGroups(context, events),
  });
}
