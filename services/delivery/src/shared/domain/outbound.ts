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

/** A kind of send, with its number and name in the tables of delivery. */
export type OutboundKind<S extends Send> = SentKind<S> & {
  number: (typeof destinationKinds)[DestinationKind];
  name: DestinationKind;
};

/** Sends to addresses that others chose: by the engine, or once and at once. */
export interface Outbound extends Pick<Engine, 'poke' | 'queue'> {
  /** @param shown what the operator sees of it */
  add<S extends Send>(kind: OutboundKind<S>, shown: ShownKind): void;
  /** Posts once; null when it was given up. Any 2xx is a success, however long its body; nothing is followed. */
  post(posting: Posting): Promise<Posted | null>;
  http: GuardedHttp;
}
