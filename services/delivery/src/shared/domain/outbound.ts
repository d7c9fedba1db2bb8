import type { GuardedHttp } from '@hearth/guarded-http';
import type { Engine, Posted, Posting, Send, OutboundKind as SentKind } from '@hearth/outbound';
import type { DestinationKind, destinationKinds } from '../db/destinations.ts';
import type { ShownKind } from '../db/shown-kind.ts';

export type {
  AttemptError,
  DueQuestion,
  Lease,
  Outcome,
  Posted,
  Posting,
  Queued,
  Send,
  Settlement,
} from '@hearth/outbound';

/** A kind of sends, with its number and name in delivery's tables. */
export type OutboundKind<S extends Send> = SentKind<S> & {
  number: (typeof destinationKinds)[DestinationKind];
  name: DestinationKind;
};

/** Sends to addresses that others chose: through the engine, or directly and once. */
export interface Outbound extends Pick<Engine, 'poke' | 'queue'> {
  /** @param shown the operator's view of the kind */
  add<S extends Send>(kind: OutboundKind<S>, shown: ShownKind): void;
  /** Posts once; null if it was given up. Any 2xx is a success, however long the body; redirects are not followed. */
  post(posting: Posting): Promise<Posted | null>;
  http: GuardedHttp;
}
