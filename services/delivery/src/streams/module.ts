import { hour } from '@hearth/clock';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import { eventsTopic } from '../shared/domain/topics.ts';
import { terminate } from '../subscriptions/actions/fan-out.ts';
import { wakeUpTypes } from './actions/draft-wake-ups.ts';
import type { Identity } from './actions/find-standing.ts';
import { createStreams, type Streams } from './actions/streams.ts';
import { followOwners, ownerEvents } from './consumers/on-owner-change.ts';
import { recordWakeUps } from './consumers/on-wake-up.ts';
import { purgeWakeUps } from './db/wake-ups.ts';

export interface StreamsSurroundings {
  /** Wakes the holders of topics, here and at the other replicas. */
  wake(topics: readonly string[]): void;
  /** Sets those going who send to these destinations. */
  kick(destinations: readonly string[]): void;
}

/** What AIs are woken for is recorded from now on. */
export async function startStreams(
  host: Host,
  { wake, kick }: StreamsSurroundings,
): Promise<{ streams: Streams; identity: Identity }> {
  const { clock, database } = host;
  const identity = {
    ais: host.peer('identity', AisService),
    people: host.peer('identity', PeopleService),
  };
  const tell = (ais: readonly string[], destinations: readonly string[]) => {
    wake(ais.map(eventsTopic));
    if (destinations.length > 0) kick(destinations);
  };
  const streams = createStreams({ database, clock, identity, terminate, changed: tell });
  await purgeWakeUps(database, clock);
  host.every('purge of old wake-ups', hour, () => purgeWakeUps(database, clock));
  host.hear({
    durable: 'wake-ups',
    types: wakeUpTypes,
    handle: (heard) => recordWakeUps({ database, clock, recorded: tell }, heard),
  });
  // Apart from what is recorded, which must not wait for other services.
  host.hear({
    durable: 'stream-owners',
    types: ownerEvents,
    handle: (heard) => followOwners({ database, streams }, heard),
  });
  return { streams, identity };
}
