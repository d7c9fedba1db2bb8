import { homesAbove } from '@hearth/addresses';
import type { Bus } from '@hearth/bus';
import { createFactCache } from '@hearth/cache/facts';
import { type Clock, second } from '@hearth/clock';
import { forbidden } from '@hearth/errors';
import { HomePolicy, type HomesService } from '@hearth/proto/federation/v1/homes';
import { anonymous, type Client } from '@hearth/rpc';

/** Whether this home talks with other homes; cached for 10 seconds, invalidated by the signal `homes`. */
export interface OtherHomes {
  /** @throws forbidden (home_denied) for a home that this one does not talk with */
  requireTalks(home: string): Promise<void>;
}

export interface OtherHomesOptions {
  homes: Pick<Client<typeof HomesService>, 'findHomePolicy'>;
  bus: Pick<Bus, 'onSignal' | 'onReconnect'>;
  clock: Clock;
}

const max = 1_000;
const keptMs = 10 * second;

export function createOtherHomes({ homes, bus, clock }: OtherHomesOptions): OtherHomes {
  const policies = createFactCache<{ policy: HomePolicy; names: readonly string[] }>({
    ...{ clock, bus, max, keptMs, signals: ['homes'] },
    // The operator's setting for a domain also covers homes below it.
    namesOf: ({ names }) => names,
  });
  return {
    async requireTalks(home) {
      const found = await policies.find(home, async () => {
        const { policy } = await homes.findHomePolicy({ home }, { caller: anonymous });
        return { policy, names: homesAbove(home) };
      });
      if (found?.policy === HomePolicy.DENIED)
        throw forbidden(`this home does not talk with ${home}; its operator decides that`, {
          code: 'home_denied',
        });
    },
  };
}
