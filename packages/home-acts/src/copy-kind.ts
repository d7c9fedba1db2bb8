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

/** A thing of another home as this one has it. */
export interface Copy<Desc extends DescMessage> extends CopyRow {
  /** As callers of this home read it; what depends on the reader is not set. */
  message: MessageShape<Desc>;
}

/** How the home of an item stands with this one. */
export interface PeerStanding {
  /** Its registrable domain. */
  domain: string;
  /** Everyone there counts as a stranger. */
  limited: boolean;
  firstContactsLeft: number;
}

/** A state that came of a thing. */
export interface CopyState<Desc extends DescMessage> {
  before: Copy<Desc> | null;
  after: Copy<Desc>;
  /** Seats at what was before. */
  seats: readonly CopySeat[];
  /** The people and AIs of this home that it is addressed to; no one under 18, and no AI of theirs. */
  to: readonly Profile[];
  /** The addresses to which it is, whether they are anyone here or not. */
  toCount: number;
  /** The party of the other home that it is from; null where the state names none. */
  from: Caller | null;
  standing: PeerStanding;
  call: Call;
}

export type Admission =
  | (BrokenRule & {
      /** It says of people here what they did not say: kept with the copy of before, where there is one, and announced. */
      disputed?: { notes: JsonObject; news: readonly Announcement[] };
    })
  | {
      /** A code of the protocol. */
      refused: 'conflict' | 'no_such_address' | 'first_contact';
    }
  | {
      /** It cannot be decided before something else has come. */
      waits: true;
    }
  | {
      /** Everyone who may see it from now on. */
      seats: readonly CopySeat[];
      /** In the place of those before. */
      notes?: JsonObject;
      /** So many people who do not know its sender were reached. */
      firstContacts?: number;
      /** Announced in the transaction that stores it. */
      news?: readonly Announcement[];
    };

export interface RemoteAsk {
  kind: 'questions' | 'invite' | 'clash';
  title: string;
  /** An address. */
  from: string;
}

/** A kind of thing that homes tell each other, as the service that has it declares it. */
export interface CopyKind<Desc extends DescMessage> {
  /** The answer of get_<kind>. */
  desc: Desc;
  /** Null for one that lacks what a thing of its kind always has. */
  factsOf(message: MessageShape<Desc>): { status: string; startedAt: Date } | null;
  /** Decides under the rules of this home which of its people see a state. It may be called twice for one. */
  admit(state: CopyState<Desc>): Promise<Admission>;
  /** Does further work in the transaction that stores it. @param after null: its home erased it */
  changed?(
    tx: UnitOfWork,
    change: { before: Copy<Desc> | null; after: Copy<Desc> | null; seats: readonly CopySeat[] },
  ): void | Promise<void>;
  /** A thing of this home (uuid) as others are told of it now; null for one of which no one there is told any more. */
  current?(id: string): Promise<OutgoingState<Desc> | null>;
  /** A home without people in it may have some again: an erased thing never comes back. */
  comesBack?: boolean;
  /** The entry of one that waits in list_remote_asks; null where it has none. */
  asks?(message: MessageShape<Desc>): RemoteAsk | null;
  /** The copy as its readers get it, where that is not as its home told it. */
  believed?(copy: Copy<Desc>): Copy<Desc>;
  /** Whether it stays when its home erases it: what people gave their word to does. */
  isKept?(message: MessageShape<Desc>): boolean;
  /** Does further work in the transaction that stores the end of an act on a thing of another home, of whatever kind it is. */
  actEnded?(tx: UnitOfWork, act: SentAct, refused: boolean): Promise<void>;
  /**
   * Returns the members kept with an act that another home gave back, because this one lost it, of whatever kind its thing is; null for the
   * usual ones. Repeats in the transaction that stores the act what was done here with it.
   */
  actReturned?(tx: UnitOfWork, act: ReturnedAct): Promise<JsonObject | null>;
  /** Another home has a state of a thing of this one, or will not have it. @param id without the home */
  settled?(id: string, home: string, delivered: boolean): Promise<void>;
}
