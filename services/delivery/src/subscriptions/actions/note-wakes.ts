import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Client } from '@hearth/rpc';
import type { Logger } from '@hearth/telemetry';
import { wokenUntil } from '../db/subscriptions.ts';

export interface TellReachOptions {
  clock: Clock;
  database: Database;
  log: Logger;
  identity: Pick<Client<typeof IdentityService>, 'noteWakes'>;
}

/**
 * Tells identity until when an AI is woken over webhooks, for the reach on its card. Never throws: a card that is wrong
 * for a while harms nobody, and the next renewal tells it anew.
 */
export type TellReach = (ai: string) => Promise<void>;

export function createTellReach({ clock, database, identity, log }: TellReachOptions): TellReach {
  return async (ai) => {
    try {
      const until = await wokenUntil(database.db, ai, new Date(clock.now()));
      await identity.noteWakes({ ai, ...(until !== null && { until: timestampFromDate(until) }) });
    } catch (err) {
      log.warn({ err, ai }, 'identity could not be told how an AI is reached');
    }
  };
}
