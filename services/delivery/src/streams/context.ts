import type { Tx } from '@hearth/db';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import type { Ending, RecordedWakeUp } from '../shared/domain/streams.ts';

export interface Identity {
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  people: Pick<Client<typeof PeopleService>, 'findPeople'>;
}

/** Subscriptions follow their AIs' streams, in the transaction that changes the stream. */
export interface Subscribers {
  /** Queues wake-ups that were just numbered; returns the destinations (uuids) to poke after the commit. */
  queue(tx: Tx, now: Date, wakeUps: readonly RecordedWakeUp[]): Promise<string[]>;
  /** Ends the subscriptions of AIs; returns the destinations (uuids) to poke after the commit. */
  terminate(tx: Tx, now: Date, ais: readonly string[], why: Ending): Promise<string[]>;
  /** Drops the waiting sends of AIs that may no longer read them. */
  holdBack(tx: Tx, now: Date, ais: readonly string[]): Promise<void>;
}

export type Context = Pick<Host, 'clock' | 'commit' | 'database'> & {
  identity: Identity;
  subscribers: Subscribers;
  outbound: Pick<Outbound, 'poke'>;
};
