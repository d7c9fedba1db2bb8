import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Limits } from '@hearth/limits';
import type { Streams } from '../../streams/streams.ts';
import type { Identity } from '../../streams/who-may-read.ts';

/** What the handlers of polls work with. */
export interface EventsContext {
  clock: Clock;
  database: Database;
  limits: Limits;
  identity: Identity;
  streams: Pick<Streams, 'prepare'>;
}
