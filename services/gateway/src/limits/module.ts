import { GatewayService } from '@hearth/proto/gateway/v1/gateway';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';
import { createRates, type Rates } from './rates.ts';

export type { Rates } from './rates.ts';

/** Counts requests against the limits of the home, and answers `GatewayService`. */
export async function startLimits(host: Context & Pick<Host, 'clock' | 'serveRpcs'>): Promise<Rates> {
  const { clock, limiter, limits } = host;
  const context: Context = { limiter, limits };
  await host.serveRpcs(GatewayService, import.meta.url, context);
  return createRates({ limiter, limits, clock });
}
