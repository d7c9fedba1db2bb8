import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { notFound } from '@hearth/errors';
import type { Ids } from '@hearth/ids';
import { type Limits, sizeOf } from '@hearth/limits';
import type { Outbox } from '@hearth/outbox';
import type { People } from '@hearth/people';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { AppFacts, AppsService } from '@hearth/proto/identity/v1/apps';
import type { Call, Client } from '@hearth/rpc';
import type { Outbound } from '../outbound/actions/engine.ts';

/** What the operator's rpcs about deliveries work with. */
export interface AdminDeliveriesContext {
  clock: Clock;
  database: Database;
  ids: Pick<Ids, 'uuid'>;
  limits: Limits;
  outbox: Outbox;
  outbound: Pick<Outbound, 'kick'>;
  people: Pick<People, 'find'>;
  apps: Pick<Client<typeof AppsService>, 'findApps'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  /** How long events of apps are kept. */
  keptMs: number;
}

const usualPage = 20;

export function pageSize(
  { limits }: Pick<AdminDeliveriesContext, 'limits'>,
  asked: number | undefined,
): number {
  return Math.min(asked ?? usualPage, sizeOf(limits, 'page_entries'));
}

/** Nothing of an app that is older is kept, whether a job has removed it yet or not. */
export function oldest({ clock, keptMs }: Pick<AdminDeliveriesContext, 'clock' | 'keptMs'>): Date {
  return new Date(clock.now() - keptMs);
}

/** An app (uuid) as it is at this moment. @throws not_found */
export async function findApp(
  { apps }: Pick<AdminDeliveriesContext, 'apps'>,
  id: string,
  call: Call,
): Promise<AppFacts> {
  const { results } = await apps.findApps({ ids: [id] }, { call });
  const facts = results[0]?.facts;
  if (facts === undefined) throw notFound();
  return facts;
}
