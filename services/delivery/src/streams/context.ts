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

/** The subscriptions of AIs follow their streams, each in the transaction that changes the stream. */
export interface Subscribers {
  /** Queues wake-ups that were just numbered; answers the destinations to poke after the commit (uuids). */
  queue(tx: Tx, now: Date, wakeUps: readonly RecordedWakeUp[]): Promise<string[]>;
  /** Ends the subscriptions of AIs; answers the destinations to poke after the commit (uuids). */
  terminate(tx: Tx, now: Date, ais: readonly string[], why: Ending): Promise<string[]>;
  /** Gives up what waits to be sent to AIs that may not read it any more. */
  holdBack(tx: Tx, now: Date, ais: readonly string[]): Promise<void>;
}

export type Context = Pick<Host, 'clock' | 'commit' | 'database'> & {
  identity: Identity;
  subscribers: Subscribers;
  outbound: Pick<Outbound, 'poke'>;
};
