import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Limits } from '@hearth/limits';
import type { Identity } from '../streams/actions/find-standing.ts';
import type { Streams } from '../streams/actions/streams.ts';

/** What the handlers of polls work with. */
export interface EventsContext {
  clock: Clock;
  database: Database;
  limits: Limits;
  identity: Identity;
  streams: Pick<Streams, 'prepare'>;
}
