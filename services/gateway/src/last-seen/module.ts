import { second } from '@hearth/clock';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Host } from '@hearth/runtime';
import { createLastSeen, type LastSeen } from './last-seen.ts';

export type { LastSeen } from './last-seen.ts';

const flushMs = 10 * second;

/** When callers were last seen, sent to identity in batches. */
export function startLastSeen(host: Pick<Host, 'clock' | 'every' | 'log' | 'peer'>): LastSeen {
  const { clock, log } = host;
  const lastSeen = createLastSeen({ identity: host.peer('identity', IdentityService), clock, log });
  host.every('flush-last-seen', flushMs, lastSeen.flush);
  return lastSeen;
}
