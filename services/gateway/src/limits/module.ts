import { countingServices } from '@hearth/limits';
import { GatewayService } from '@hearth/proto/gateway/v1/gateway';
import { UsesService } from '@hearth/proto/gateway/v1/uses';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';
import { createRates, type Rates } from './rates.ts';

export type { Rates } from './rates.ts';

/** Counts requests against the home's limits, and serves `GatewayService`. */
export async function startLimits(host: Host, { holds }: Pick<Context, 'holds'>): Promise<Rates> {
  const { clock, limiter, limits, log } = host;
  const uses = countingServices.map((service) => host.peer(service, UsesService));
  const context: Context = { limiter, limits, log, holds, uses };
  await host.serveRpcs(GatewayService, import.meta.url, context);
  return createRates({ limiter, limits, clock });
}
