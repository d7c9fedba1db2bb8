import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Announcement, UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { Call } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import type { BrokenRule } from './broken-rule.ts';
import type { CopyRow, CopySeat } from './copies-db.ts';
import type { ReturnedAct, SentAct } from './sent-acts.ts';
import type { OutgoingState } from './states.ts';

/** A remote thing, as stored here. */
export interface Copy<Desc extends DescMessage> extends CopyRow {
  /** As local callers read it, without the fields that depend on the reader. */
  message: MessageShape<Desc>;
}

/** The standing of the home that sent an item. */
export interface PeerStanding {
  /** Its registrable domain. */
  domain: string;
  /** Whether everyone there counts as a stranger. */
  limited: boolean;
  firstContactsLeft: number;
}

/** A received state of a thing. */
export interface CopyState<Desc extends DescMessage> {
  before: Copy<Desc> | null;
  after: Copy<Desc>;
  /** Seats at the copy before this state. */
  seats: readonly CopySeat[];
  /** The local people and AIs that it is addressed to; no one under 18, and none of their AIs. */
  to: readonly Profile[];
  /** The number of addressees, known here or not. */
  toCount: number;
  /** The remote party that sent it; null if the state names none. */
  from: Caller | null;
  standing: PeerStanding;
  call: Call;
}

export type Admission =
  | (BrokenRule & {
      /**
       * It misquotes local people: the notes are stored with the previous copy, if there is one, and the news
       * announced.
       */
      disputed?: { notes: JsonObject; news: readonly Announcement[] };
    })
  | {
      /** An error code of the protocol. */
      refused: 'conflict' | 'no_such_address' | 'first_contact';
    }
  | {
      /** Cannot be decided until something else has arrived. */
      waits: true;
    }
  | {
      /** Everyone who may see it from now on. */
      seats: readonly CopySeat[];
      /** Replace the previous notes. */
      notes?: JsonObject;
      /** The number of people reached who do not know the sender. */
      firstContacts?: number;
      /** Announced in the transaction that stores the state. */
      news?: readonly Announcement[];
    };

export interface RemoteAsk {
  kind: 'questions' | 'invite' | 'clash';
  title: string;
  /** An address. */
  from: string;
}

/** A kind of thing that homes share, as declared by the service that handles it. */
export interface CopyKind<Desc extends DescMessage> {
  /** The response message of get_<kind>. */
  desc: Desc;
  /** Returns null if a member that the kind always has is missing. */
  factsOf(message: MessageShape<Desc>): { status: string; startedAt: Date } | null;
  /** Decides by this home's rules who sees a state. May be called twice for the same state. */
  admit(state: CopyState<Desc>): Promise<Admission>;
  /** Makes further changes in the transaction that stores the state. @param after null if its home erased the thing */
  changed?(
    tx: UnitOfWork,
    change: { before: Copy<Desc> | null; after: Copy<Desc> | null; seats: readonly CopySeat[] },
  ): void | Promise<void>;
  /** Returns the current state of a local thing (uuid) for other homes; null if no one there may know it any more. */
  current?(id: string): Promise<OutgoingState<Desc> | null>;
  /** Whether a home without participants may get some again; an erased thing never comes back. */
  comesBack?: boolean;
  /** Returns the entry of a waiting thing in list_remote_asks; null if it has none. */
  asks?(message: MessageShape<Desc>): RemoteAsk | null;
  /** Returns the copy as its readers see it, if that differs from what its home states. */
  believed?(copy: Copy<Desc>): Copy<Desc>;
  /** Whether the copy stays when its home erases the thing, such as an agreement that people signed. */
  isKept?(message: MessageShape<Desc>): boolean;
  /** Makes further changes in the transaction that stores the end of an act on a remote thing of any kind. */
  actEnded?(tx: UnitOfWork, act: SentAct, refused: boolean): Promise<void>;
  /**
   * Returns what to keep with an act that another home gave back because this one lost it, on a thing of any
   * kind; null for the default. Repeats the act's local changes in the transaction that stores it.
   */
  actReturned?(tx: UnitOfWork, act: ReturnedAct): Promise<JsonObject | null>;
  /** Another home accepted a state of a local thing, or it was undeliverable. @param id without the home */
  settled?(id: string, home: string, delivered: boolean): Promise<void>;
}
