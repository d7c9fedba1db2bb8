import { hash } from 'node:crypto';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { second } from '@hearth/clock';
import type { Announcement, UnitOfWork } from '@hearth/outbox';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { writeMessage } from '@hearth/proto-json';
import type { ReceivedEvent, ServiceName } from '@hearth/runtime';
import { canonicalize, isJsonObject, type JsonObject, type JsonValue } from '@hearth/signing';
import { toAbroad } from './abroad.ts';
import type { CopyKind } from './copy-kind.ts';
import type { ThingParts } from './home-things.ts';
import { findRev, lockState, type StateRow, writeState } from './states-db.ts';

/** A local thing, as other homes see it. */
export interface OutgoingState<Desc extends DescMessage> {
  /** Without the home, as its operations take it. */
  id: string;
  /** As seen by a reader who takes no part; it has no one under 18 in it. */
  message: MessageShape<Desc>;
  /** Whether no further state follows. */
  final: boolean;
  /** The participating homes, with at most 20 full addresses each. */
  homes: readonly { home: string; to: readonly string[] }[];
  /** The party that it is from, if any: the address, and the description from `describeParty`. */
  from?: { address: string; described: JsonObject } | undefined;
  /** When the state expires; 14 days from now by default. */
  expiresAt?: Date | undefined;
  /** Members of the object that the message does not have. */
  more?: JsonObject | undefined;
  /** Fields, such as "answers" or "options.stances", to leave out one by one if the object is too long for an item. */
  spare?: readonly string[] | undefined;
}

/** A numbered state, for a service that counts them itself. */
interface StateOf<Desc extends DescMessage> extends OutgoingState<Desc> {
  /** Rises with each state. */
  rev: number;
}

/** Returns the homes of the remote parties ('' is this home), with their addresses there. */
export function homesOf(
  parties: readonly { home: string; address: string }[],
): { home: string; to: string[] }[] {
  const away = parties.filter(({ home }) => home !== '');
  return [...Map.groupBy(away, ({ home }) => home)].map(([home, theirs]) => ({
    home,
    to: theirs.map(({ address }) => address),
  }));
}

/** The most addresses of an item. */
const mostAddressed = 20;
/** An item has at most 64 KiB, including its addresses and its signature. */
export const mostBytes = 56_000;

function stateOf<Desc extends DescMessage>(
  { service, kind, desc, home }: { service: ServiceName; kind: string; desc: Desc; home: string },
  { id, rev, message, final, homes, from, expiresAt, more, spare = [] }: StateOf<Desc>,
): Announcement {
  const told = toAbroad(desc, writeMessage(desc, message) as JsonObject, home);
  const whole: JsonObject = { ...told, ...more, id: `r:${home}:${id}`, ...(final && { final }) };
  const object = spare.reduce(
    (now, path) => (Buffer.byteLength(JSON.stringify(now)) > mostBytes ? without(now, path.split('.')) : now),
    whole,
  );
  return {
    data: {
      case: 'itemForHomes',
      value: {
        ...{ service, type: HomeItemType.STATE, id, rev: BigInt(rev) },
        homes: homes.map(({ home: name, to }) => ({ home: name, to: to.slice(0, mostAddressed) })),
        ...(from !== undefined && { from: from.address, senderJson: JSON.stringify(from.described) }),
        bodyJson: JSON.stringify({ kind, object }),
        ...(expiresAt !== undefined && { expiresAt: timestampFromDate(expiresAt) }),
      },
    },
  };
}

function without(object: JsonObject, [name = '', ...path]: readonly string[]): JsonObject {
  const { [name]: value, ...rest } = object;
  if (path.length === 0 || value === undefined) return rest;
  const inner = (element: JsonValue) => (isJsonObject(element) ? without(element, path) : element);
  return { ...rest, [name]: Array.isArray(value) ? value.map(inner) : inner(value) };
}

/**
 * Tells other homes that a local thing was deleted, or that they no longer take part in it.
 *
 * @param id without the home
 */
export function erasedState(
  { service, home }: { service: ServiceName; home: string },
  { id, rev, homes }: { id: string; rev: number; homes: readonly string[] },
): Announcement {
  return {
    data: {
      case: 'itemForHomes',
      value: {
        ...{ service, type: HomeItemType.ERASED, homes: homes.map((name) => ({ home: name })) },
        bodyJson: JSON.stringify({ id: `r:${home}:${id}`, rev }),
      },
    },
  };
}

/** Announces, in the transaction that changes a thing, that other homes must receive its state. @param id uuid */
export function stateDue(service: ServiceName, kind: string, id: string): Announcement {
  return { data: { case: 'homeStateDue', value: { service, kind, id } } };
}

/** Sends the current state to every participating home, and `erased` to homes that no longer participate. */
export const onHomeStateDue = (parts: ThingParts, kinds: ReadonlyMap<string, CopyKind<never>>) => ({
  durable: 'home-states',
  types: ['home_state_due'],
  async handle(events: readonly ReceivedEvent[]): Promise<void> {
    const due = events.flatMap(({ event: { data } }) =>
      data.case === 'homeStateDue' && data.value.service === parts.schema ? data.value : [],
    );
    const things = new Map(due.map((one) => [`${one.kind} ${one.id}`, one]));
    for (const { kind, id } of things.values()) {
      const declared = kinds.get(kind) as CopyKind<DescMessage> | undefined;
      if (declared?.current !== undefined) await tell(parts, { kind, declared, id });
    }
  },
});

interface Due {
  kind: string;
  declared: Pick<CopyKind<DescMessage>, 'comesBack' | 'current' | 'desc'>;
  id: string;
}

async function tell(parts: ThingParts, due: Due): Promise<void> {
  const { commit, database, schema } = parts;
  for (let isTold = false; !isTold; ) {
    const rev = await findRev(database.db, schema, due.kind, due.id);
    const now = (await due.declared.current?.(due.id)) ?? null;
    isTold = await commit(async (tx) => {
      const before = await lockState(tx, schema, due.kind, due.id);
      // Another process sent a state in the meantime, perhaps a newer one.
      if (before.rev !== rev) return false;
      await tellNow(tx, parts, due, before, now);
      return true;
    });
  }
}

/** Sends the state in the transaction that changes the thing. */
export async function tellWithin(
  tx: UnitOfWork,
  parts: ThingParts,
  due: Due,
  told: OutgoingState<DescMessage>,
): Promise<void> {
  await tellNow(tx, parts, due, await lockState(tx, parts.schema, due.kind, due.id), told);
}

async function tellNow(
  tx: UnitOfWork,
  { clock, homeNames, schema: service }: ThingParts,
  { kind, declared, id }: Due,
  before: StateRow,
  told: OutgoingState<DescMessage> | null,
): Promise<void> {
  const home = homeNames.ownHome;
  const now = Object.fromEntries((told?.homes ?? []).map(({ home: name, to }) => [name, [...to]]));
  const left = Object.keys(before.homes).filter((name) => now[name] === undefined);
  // A home whose people may come back gets the state without them; any other home gets an `erased`.
  const farewells = told !== null && declared.comesBack === true ? left : [];
  const ends = left.filter((name) => !farewells.includes(name));
  const homes = [
    ...(told?.homes ?? []),
    ...farewells.map((farewell) => ({ home: farewell, to: before.homes[farewell] as string[] })),
  ];
  const shown = told?.id ?? before.shown;
  // At least the current Unix time, so that it does not go back in a home restored from a backup.
  const rev = Math.max(before.rev + 1, Math.floor(clock.now() / second));
  const announced =
    told === null || homes.length === 0
      ? null
      : stateOf({ service, kind, desc: declared.desc, home }, { ...told, homes, rev });
  const digest = announced === null ? null : digestOf(announced);
  const isSame = digest === null || before.digest?.equals(digest) === true;
  if (isSame && ends.length === 0) return;
  if (!isSame && announced !== null) tx.announce(announced);
  if (ends.length > 0) tx.announce(erasedState({ service, home }, { id: shown, rev: rev + 1, homes: ends }));
  await writeState(
    tx,
    service,
    { kind, id },
    { rev: rev + (ends.length > 0 ? 1 : 0), digest, shown, homes: now },
    new Date(clock.now()),
  );
}

/** Returns the SHA-256 of the state and its recipients. */
function digestOf({ data }: Announcement): Buffer {
  const { homes, bodyJson } = data.value as { homes: JsonObject[]; bodyJson: string };
  return hash('sha256', canonicalize({ homes, body: JSON.parse(bodyJson) as JsonObject }), 'buffer');
}
