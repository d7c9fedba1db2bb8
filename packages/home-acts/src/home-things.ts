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

/** The parts that the steps of this package work with. */
export type ThingParts = HostParts<'homeNames' | 'people'> & {
  /** The service, which its schema carries the name of. */
  schema: ServiceName;
  peers: {
    identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
    parties: Pick<Client<typeof PartiesService>, 'meetParty'>;
    records: RecordChecker;
  };
  otherHomes: OtherHomes;
  /** Reads what other homes answer. */
  reader: Reader;
  receivedActs: ReceivedActs;
  sentActs: SentActs;
};

/** The things of a service that other homes take part in, and those of other homes that this one's people do. */
export interface HomeThings {
  /** Acts of parties of other homes that are being carried out. */
  acts: ReceivedActs;
  /** Takes states, acts and results that came. */
  receive: UnaryHandler<typeof HomeItemsService.method.receiveHomeItems>;
  /** Says how states of that kind are taken. @param kind as in `kind` of a state: "agreement" */
  kind<Desc extends DescMessage>(kind: string, declared: CopyKind<Desc>): Copies<Desc>;
  /** Ends all that there is with the home that had that name before; for a consumer that must not come before it. */
  beganAnew(home: string, at: Date): Promise<void>;
  /** How many copies of each kind wait for one of these viewers (uuids), and when the oldest of them was started. */
  countWaiting(viewers: readonly string[]): Promise<{ kind: string; count: number; oldest: Date }[]>;
}

/** The copies of one kind. */
export interface Copies<Desc extends DescMessage> {
  /**
   * The copy that a caller means by its reference or full address, for one of these viewers (uuids); null where `text` names no thing
   * of another home.
   *
   * @returns undefined where there is none that they may see
   */
  find(text: string, viewers: readonly string[]): Promise<SeenCopy<Desc> | undefined | null>;
  /** Those that one of these viewers has a seat at, the newest first. */
  list(by: CopiesBy, after: PagePosition | null, limit: number): Promise<SeenCopy<Desc>[]>;
  /** uuids of those who may see the copy of that reference. */
  viewers(reference: string): Promise<string[]>;
  /** Those of these uuids and this kind, whoever may see them. */
  byIds(ids: readonly string[]): Promise<Copy<Desc>[]>;
  /** As `changeCopy`. */
  change(
    id: string,
    decide: (tx: UnitOfWork, copy: Copy<Desc>) => CopyChange | null | Promise<CopyChange | null>,
  ): Promise<Copy<Desc> | null>;
  /** From now on a viewer (uuid) does not see it. */
  unseat(tx: UnitOfWork, copy: Pick<Copy<Desc>, 'id'>, viewer: string): Promise<void>;
  /** Sends an act on it, and waits for no result: in the transaction that says why. */
  send(tx: UnitOfWork, copy: Pick<Copy<Desc>, 'reference'>, act: Omit<ActDraft, 'on'>): Promise<void>;
  /** The answer to the last act of that operation which was sent for a viewer (uuid), as callers of this home read it. */
  lastAnswer(
    copy: Pick<Copy<Desc>, 'home' | 'reference'>,
    operation: string,
    viewer: string,
  ): Promise<MessageShape<Desc> | null>;
  /** Whether an act of that operation was sent to a thing (its reference) with which all of that is kept. */
  hasSent(on: string, operation: string, kept: JsonObject): Promise<boolean>;
  /** The act (uuid) on a thing (its reference) that made another one; null where none can have. */
  maker(on: string, act: ActKept, made: Made): Promise<string | null>;
  /** Notes what an act (uuid) made: it makes nothing else. False where it did meanwhile. */
  noteMade(tx: UnitOfWork, act: string, reference: string): Promise<boolean>;
  /** `hasSent` for each of several. */
  haveSent(on: string, acts: readonly ActKept[]): Promise<boolean[]>;
  /** Acts of these viewers (uuids) on a thing (its reference), the oldest first. */
  words(on: string, viewers: readonly string[]): Promise<SentWord[]>;
  /** As `callElsewhere`; the act keeps `viewer`, for `lastAnswer`. */
  call<Method extends DescMethod>(
    copy: Pick<Copy<Desc>, 'home' | 'reference'>,
    call: Omit<CallElsewhere<Method>, 'home' | 'on' | 'thing'>,
  ): Promise<MessageShape<Method['output']> | null>;
  /**
   * Says in the transaction that changes a thing of this home (uuid) that others are to be told how it is then, by `current` of its
   * kind.
   */
  due(id: string): Announcement;
  /** Tells others in the transaction that changes a thing of this home (uuid), so that what goes to them next comes after it. */
  tell(tx: UnitOfWork, id: string, told: OutgoingState<Desc>): Promise<void>;
  /** Whether an act of one of these (uuids) on a thing of another home is on its way. */
  isPending(reference: string, actors: readonly string[]): Promise<boolean>;
}

export type CopiesBy = Omit<CopiesListed, 'kind'>;

/** A copy, and whether an act of the viewer on it is on its way. */
export interface SeenCopy<Desc extends DescMessage> extends Copy<Desc> {
  pending: boolean;
}

/**
 * @param service in whose schema the tables `home_acts`, `home_copies`, `home_copy_seats` and `home_states` are
 * @param takesOthers the service takes further items, and answers ReceiveHomeItems itself by `receive`
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
      /** A thing that has an address is named by that too; '' for one of another home that is not known here. */
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

/** Another home has what this one sent, or will not have it. */
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

/** @param act null for one that was settled before */
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
