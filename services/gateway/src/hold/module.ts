import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { Host } from '@hearth/runtime';
import { createElsewhere } from './elsewhere.ts';
import { createHolds, type Holds } from './holds.ts';

export type { Series } from './caught-up.ts';
export { clientOf } from './client-of.ts';
export { createHolds, type Hold, type Holds, ownerOf, type Reply } from './holds.ts';

/** The held requests of this process. */
export function startHolds(host: Pick<Host, 'bus' | 'clock' | 'ids' | 'log' | 'onStop' | 'peer'>): Holds {
  const { bus, clock, ids, log } = host;
  const holds = createHolds({
    delivery: host.peer('delivery', DeliveryService),
    clock,
    log,
    elsewhere: createElsewhere(bus, ids.uuid()),
    signalsTravel: () => bus.health().ok,
  });
  host.onStop(async () => holds.close());
  return holds;
}
