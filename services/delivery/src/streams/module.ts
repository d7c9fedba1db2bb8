import { hour } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import { audiences } from '../events/module.ts';
import type { RecordedWakeUp } from '../shared/domain/streams.ts';
import { createKeeper, type Keeper } from './actions/keep-streams.ts';
import {
  type AfterQuestion,
  readAfter,
  readStream,
  type StreamAnswer,
  type StreamQuestion,
} from './actions/read-stream.ts';
import { onOwnerChange, ownerEvents } from './consumers/on-owner-change.ts';
import { onWakeUp } from './consumers/on-wake-up.ts';
import type { Context } from './context.ts';
import type { StreamRow } from './db/streams.ts';
import { purgeWakeUps } from './db/wake-ups.ts';

export type { StreamAnswer };

/** The numbered wake-ups of each AI. */
export interface Streams extends Pick<Keeper, 'prepare' | 'hold'> {
  /** Reads a page of a stream after a position, as of the time when the stream was prepared. */
  read(stream: StreamRow, question: StreamQuestion): Promise<StreamAnswer>;
  /** Returns the newest wake-ups of one kind after a position, within a transaction that holds the stream. */
  after(tx: Tx, question: AfterQuestion): Promise<{ wakeUps: RecordedWakeUp[]; truncated: boolean }>;
}

/** Starts recording the wake-ups of AIs. */
export async function startStreams(
  host: Host,
  deps: Pick<Context, 'outbound' | 'subscribers'>,
): Promise<Streams> {
  const { clock, database } = host;
  const identity = { ais: host.peer('identity', AisService), people: host.peer('identity', PeopleService) };
  const context: Context = { ...host, ...deps, identity };
  const { refresh, ...keeper } = createKeeper(context);
  await purgeWakeUps(database, clock);
  host.every('purge-wake-ups', hour, () => purgeWakeUps(database, clock));
  host.consume({ durable: 'wake-ups', types: audiences.wakeUp.types, handle: onWakeUp(context) });
  // A consumer of its own: recording must not wait for other services.
  host.consume({
    durable: 'stream-owners',
    types: ownerEvents,
    handle: onOwnerChange({ database, refresh }),
  });
  return {
    ...keeper,
    read: (stream, question) => readStream(database.db, stream, question),
    after: (tx, question) => readAfter(tx, clock.now(), question),
  };
}
