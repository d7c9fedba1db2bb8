import type { DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf';
import { parseAddress, printAddress, readId } from '@hearth/addresses';
import { sizesOf } from '@hearth/limits';
import type { Announcement, UnitOfWork } from '@hearth/outbox';
import type { PagePosition } from '@hearth/paging';
import { createOtherHomes, type OtherHomes } from '@hearth/people';
import { type HomeItemSettled, HomeItemType } from '@hearth/proto/events/v1/events';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { WaitingThingsService } from '@hearth/proto/federation/v1/waiting_things';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { createReader, type Reader } from '@hearth/proto-json';
import type { Client, UnaryHandler } from '@hearth/rpc';
import type { Host, HostParts, ReceivedEvent, ServiceName } from '@hearth/runtime';
import type { JsonObject } from '@hearth/signing';
import { type CallElsewhere, callElsewhere, readHere } from './call-elsewhere.ts';
import { type CopyChange, changeCopy, copyOf, copyTopic, takeErased, takeState } from './copies.ts';
import {
  type CopiesListed,
  countWaitingCopies,
  findAddressed,
  findCopies,
  findCopy,
  findCopySeats,
  findSeenCopy,
  listCopies,
  unseat,
} from './copies-db.ts';
import type { Copy, CopyKind } from './copy-kind.ts';
import {
  type ActKept,
  findLastAnswer,
  findMaker,
  findWords,
  haveSent,
  type Made,
  noteMade,
  type SentWord,
} from './db.ts';
import { receivesHomeItems } from './receive-items.ts';
import { createReceivedActs, type ReceivedActs } from './received-acts.ts';
import type { RecordChecker } from './record.ts';
import { type ActDraft, createSentActs, type SentAct, type SentActs } from './sent-acts.ts';
import { type OutgoingState, onHomeStateDue, stateDue, tellWithin } from './states.ts';
import { beganAnew, keepUp } from './upkeep.ts';
import { listWaitingThings } from './waiting-things.ts';

/** Dependencies of this package's functions. */
export type ThingParts = HostParts<'homeNames' | 'people'> & {
  /** The service, which is also the name of its schema. */
  schema: ServiceName;
  peers: {
    identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
    parties: Pick<Client<typeof PartiesService>, 'meetParty'>;
    records: RecordChecker;
  };
  otherHomes: OtherHomes;
  /** Reads the answers of other homes. */
  reader: Reader;
  receivedActs: ReceivedActs;
  sentActs: SentActs;
};

/** The things of a service that other homes take part in, and the remote things that local people take part in. */
export interface HomeThings {
  /** Remote acts that are being carried out. */
  acts: ReceivedActs;
  /** Accepts states, acts and results. */
  receive: UnaryHandler<typeof HomeItemsService.method.receiveHomeItems>;
  /** Registers a kind of state. @param kind as in `kind` of a state: "agreement" */
  kind<Desc extends DescMessage>(kind: string, declared: CopyKind<Desc>): Copies<Desc>;
  /** Ends everything with the home that used to have that name; for a consumer that must not run ahead of it. */
  beganAnew(home: string, at: Date): Promise<void>;
  /** Returns how many copies of each kind wait for one of these viewers (uuids), and when the oldest was started. */
  countWaiting(viewers: readonly string[]): Promise<{ kind: string; count: number; oldest: Date }[]>;
}

/** The copies of one kind. */
export interface Copies<Desc extends DescMessage> {
  /**
   * Finds the copy with this reference or full address, for one of these viewers (uuids); null if `text` does
   * not name a remote thing.
   *
   * @returns undefined if there is none that they may see
   */
  find(text: string, viewers: readonly string[]): Promise<SeenCopy<Desc> | undefined | null>;
  /** Returns the copies at which one of these viewers has a seat, newest first. */
  list(by: CopiesBy, after: PagePosition | null, limit: number): Promise<SeenCopy<Desc>[]>;
  /** Returns the uuids of the parties that may see the copy with this reference. */
  viewers(reference: string): Promise<string[]>;
  /** Returns the copies of this kind among these uuids, without regard to seats. */
  byIds(ids: readonly string[]): Promise<Copy<Desc>[]>;
  /** See `changeCopy`. */
  change(
    id: string,
    decide: (tx: UnitOfWork, copy: Copy<Desc>) => CopyChange | null | Promise<CopyChange | null>,
  ): Promise<Copy<Desc> | null>;
  /** Removes a viewer's (uuid) seat at a copy. */
  unseat(tx: UnitOfWork, copy: Pick<Copy<Desc>, 'id'>, viewer: string): Promise<void>;
  /** Sends an act on a copy, in the transaction of its cause, without waiting for a result. */
  send(tx: UnitOfWork, copy: Pick<Copy<Desc>, 'reference'>, act: Omit<ActDraft, 'on'>): Promise<void>;
  /** Returns the answer to the last act with that operation sent for a viewer (uuid), as local callers read it. */
  lastAnswer(
    copy: Pick<Copy<Desc>, 'home' | 'reference'>,
    operation: string,
    viewer: string,
  ): Promise<MessageShape<Desc> | null>;
  /** Whether an act with that operation, and with all of `kept`, was sent to a thing (its reference). */
  hasSent(on: string, operation: string, kept: JsonObject): Promise<boolean>;
  /** Returns the act (uuid) on a thing (its reference) that created another thing; null if none can have. */
  maker(on: string, act: ActKept, made: Made): Promise<string | null>;
  /** Records what an act (uuid) created; false if another thing was recorded for it. */
  noteMade(tx: UnitOfWork, act: string, reference: string): Promise<boolean>;
  /** `hasSent` for several acts. */
  haveSent(on: string, acts: readonly ActKept[]): Promise<boolean[]>;
  /** Returns the acts of these viewers (uuids) on a thing (its reference), oldest first. */
  words(on: string, viewers: readonly string[]): Promise<SentWord[]>;
  /** See `callElsewhere`; the act keeps `viewer`, for `lastAnswer`. */
  call<Method extends DescMethod>(
    copy: Pick<Copy<Desc>, 'home' | 'reference'>,
    call: Omit<CallElsewhere<Method>, 'home' | 'on' | 'thing'>,
  ): Promise<MessageShape<Method['output']> | null>;
  /**
   * Announces, in the transaction that changes a local thing (uuid), that other homes must receive its state
   * from `current`.
   */
  due(id: string): Announcement;
  /**
   * Sends the state of a local thing (uuid) in the transaction that changes it, so that later items to those
   * homes come after it.
   */
  tell(tx: UnitOfWork, id: string, told: OutgoingState<Desc>): Promise<void>;
  /** Whether one of these parties (uuids) has a pending act on a remote thing. */
  isPending(reference: string, actors: readonly string[]): Promise<boolean>;
}

export type CopiesBy = Omit<CopiesListed, 'kind'>;

/** A copy, and whether the viewer has a pending act on it. */
export interface SeenCopy<Desc extends DescMessage> extends Copy<Desc> {
  pending: boolean;
}

/**
 * @param service whose schema has the tables `home_acts`, `home_copies`, `home_copy_seats` and `home_states`
 * @param takesOthers whether the service accepts other items, and serves ReceiveHomeItems itself with
 * `receive`
 */
export function createHomeThings(
  host: Host,
  service: ServiceName,
  { takesOthers = false }: { takesOthers?: boolean } = {},
): HomeThings {
  const { bus, clock, database, peer } = host;
  const kinds = new Map<string, CopyKind<never>>();
  const parts: ThingParts = {
    ...host,
    schema: service,
    peers: {
      identity: peer('identity', IdentityService),
      parties: peer('identity', PartiesService),
      records: peer('federation', RecordsService),
    },
    otherHomes: createOtherHomes({ homes: peer('federation', HomesService), bus, clock }),
    reader: createReader({ bounds: sizesOf(host.limits), ignoreUnknown: true, answers: true }),
    receivedActs: createReceivedActs(host, service),
    sentActs: createSentActs(host, service, { copies: true }),
  };
  const receive = receivesHomeItems({
    ...parts,
    async takeState(item, standing, call) {
      const { kind } = JSON.parse(item.bodyJson) as { kind: string };
      const declared = kinds.get(kind) as CopyKind<DescMessage> | undefined;
      return declared === undefined ? null : await takeState(parts, { kind, declared }, item, standing, call);
    },
    takeErased: (item) => takeErased(parts, kinds, item),
    async actReturned(tx, act) {
      for (const kind of kinds.values()) {
        const kept = await kind.actReturned?.(tx, act);
        if (kept) return kept;
      }
      return null;
    },
    actEnded: (tx, act) => actEnded(parts, kinds, tx, act),
  });
  if (!takesOthers) host.serve(HomeItemsService, { receiveHomeItems: receive });
  host.serve(WaitingThingsService, { listWaitingThings: listWaitingThings(parts, kinds) });
  host.consume(onHomeItemSettled(parts, kinds));
  host.consume(onHomeStateDue(parts, kinds));
  const comingBack = () => [...kinds].flatMap(([kind, { comesBack }]) => (comesBack === true ? kind : []));
  keepUp(host, parts, comingBack);
  return {
    acts: parts.receivedActs,
    receive,
    beganAnew: (home, at) => beganAnew(parts, home, at, comingBack()),
    countWaiting: (viewers) => countWaitingCopies(database.db, service, viewers),
    kind<Desc extends DescMessage>(kind: string, declared: CopyKind<Desc>): Copies<Desc> {
      kinds.set(kind, declared as unknown as CopyKind<never>);
      const { desc } = declared;
      /** Returns the reference that a text names, by id or address; '' for the address of an unknown remote thing. */
      async function referenceIn(text: string): Promise<string | null> {
        const read = readId(text, host.homeNames);
        if ('reference' in read) return read.reference;
        if (desc.field['address'] === undefined) return null;
        const address = parseAddress(text, host.homeNames);
        if (address?.home === undefined) return null;
        return (await findAddressed(database.db, service, kind, printAddress(address))) ?? '';
      }
      return {
        async find(text, viewers) {
          const reference = await referenceIn(text);
          if (reference === null) return null;
          const row = await findSeenCopy(database.db, service, reference, viewers);
          if (row === null || row.kind !== kind) return undefined;
          const pending = await parts.sentActs.isPending(row.reference, viewers);
          return { ...copyOf(parts, declared, row), pending };
        },
        async list(by, after, limit) {
          const rows = await listCopies(database.db, service, { ...by, kind }, after, limit);
          return rows.map((row) => ({ ...copyOf(parts, declared, row), pending: false }));
        },
        async viewers(reference) {
          const row = await findCopy(database.db, service, reference);
          if (row === null || row.kind !== kind) return [];
          return (await findCopySeats(database.db, service, row.id)).map(({ viewer }) => viewer);
        },
        async byIds(ids) {
          const rows = await findCopies(database.db, service, ids);
          return rows.flatMap((row) => (row.kind === kind ? copyOf(parts, declared, row) : []));
        },
        change: (id, decide) => changeCopy(parts, declared, id, decide),
        async unseat(tx, { id }, viewer) {
          await unseat(tx, service, [viewer], id);
          tx.wake(copyTopic(id));
        },
        async send(tx, { reference: on }, act) {
          await parts.sentActs.send(tx, { ...act, on });
        },
        async lastAnswer({ home, reference: object }, operation, viewer) {
          const answer = await findLastAnswer(database.db, service, { object, operation, viewer });
          return answer === null
            ? null
            : await readHere(parts, desc, JSON.parse(answer) as JsonObject, { home, isThing: true });
        },
        async hasSent(on, operation, kept) {
          const [sent = false] = await haveSent(database.db, service, on, [{ operation, kept }]);
          return sent;
        },
        maker: (on, act, made) => findMaker(database.db, service, on, act, made),
        noteMade: (tx, act, reference) => noteMade(tx, service, act, reference),
        haveSent: (on, acts) => haveSent(database.db, service, on, acts),
        words: (on, viewers) => findWords(database.db, service, on, viewers),
        call: ({ home, reference: on }, call) => callElsewhere(parts, { ...call, home, on, thing: desc }),
        due: (id) => stateDue(service, kind, id),
        tell: (tx, id, told) =>
          tellWithin(tx, parts, { kind, declared, id }, told as OutgoingState<DescMessage>),
        isPending: parts.sentActs.isPending,
      };
    },
  };
}

/** Handles that another home accepted what this one sent, or that it was undeliverable. */
const onHomeItemSettled = (parts: ThingParts, kinds: ReadonlyMap<string, CopyKind<never>>) => ({
  durable: 'home-things',
  types: ['home_item_settled'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      if (event.data.case !== 'homeItemSettled') continue;
      if (event.data.value.service !== parts.schema) continue;
      for (const item of [event.data.value, ...event.data.value.others])
        await itemSettled(parts, kinds, item);
    }
  },
});

/** @param act null for an act that was already settled */
async function actEnded(
  { sentActs }: ThingParts,
  kinds: ReadonlyMap<string, CopyKind<never>>,
  tx: UnitOfWork,
  act: SentAct | null,
): Promise<void> {
  if (act === null) return;
  const refused = sentActs.errorOf(act) !== null;
  for (const kind of kinds.values()) await kind.actEnded?.(tx, act, refused);
}

async function itemSettled(
  parts: ThingParts,
  kinds: ReadonlyMap<string, CopyKind<never>>,
  { type, id, home, delivered }: Pick<HomeItemSettled, 'type' | 'id' | 'home' | 'delivered'>,
): Promise<void> {
  if (type === HomeItemType.ACT && !delivered)
    await parts.commit(async (tx) => await actEnded(parts, kinds, tx, await parts.sentActs.giveUp(tx, id)));
  if (type !== HomeItemType.STATE) return;
  for (const { settled } of kinds.values()) await settled?.(id, home, delivered);
}
