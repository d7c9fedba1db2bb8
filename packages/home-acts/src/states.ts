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

/** A thing of this home as others see it. */
export interface OutgoingState<Desc extends DescMessage> {
  /** Without the home, as its operations take it. */
  id: string;
  /** As a reader sees it for whom nothing is their own; no one under 18 is in it. */
  message: MessageShape<Desc>;
  /** No state follows. */
  final: boolean;
  /** The homes that have a part in it, with the full addresses there: at most 20 each. */
  homes: readonly { home: string; to: readonly string[] }[];
  /** The address, and the words of `describeParty` about the party that it is from, where there is one. */
  from?: { address: string; described: JsonObject } | undefined;
  /** A state is of no use any more then; 14 days from now when not given. */
  expiresAt?: Date | undefined;
  /** Members of the object beside those of the message. */
  more?: JsonObject | undefined;
  /** Fields, as "answers" or "options.stances", that are left out one after the other where the object is too long for an item. */
  spare?: readonly string[] | undefined;
}

/** A state with its number, for a service that counts by itself. */
interface StateOf<Desc extends DescMessage> extends OutgoingState<Desc> {
  /** Rises with each state. */
  rev: number;
}

/** The homes of those who are of another one ('': of this one), with their addresses there. */
export function homesOf(
  parties: readonly { home: string; address: string }[],
): { home: string; to: string[] }[] {
  const away = parties.filter(({ home }) => home !== '');
  return [...Map.groupBy(away, ({ home }) => home)].map(([home, theirs]) => ({
    home,
    to: theirs.map(({ address }) => address),
  }));
}

/** As many addresses an item has at most. */
const mostAddressed = 20;
/** An item has 64 KiB at most, its addresses and its signature among them. */
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
        homes: homes.map((one) => ({ home: one.home, to: one.to.slice(0, mostAddressed) })),
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
  const inner = (one: JsonValue) => (isJsonObject(one) ? without(one, path) : one);
  return { ...rest, [name]: Array.isArray(value) ? value.map(inner) : inner(value) };
}

/** Tells other homes that a thing of this one is no more, or none of theirs. @param id without the home */
export function erasedState(
  { service, home }: { service: ServiceName; home: string },
  { id, rev, homes }: { id: string; rev: number; homes: readonly string[] },
): Announcement {
  return {
    data: {
      case: 'itemForHomes',
      value: {
        ...{ service, type: HomeItemType.ERASED, homes: homes.map((one) => ({ home: one })) },
        bodyJson: JSON.stringify({ id: `r:${home}:${id}`, rev }),
      },
    },
  };
}

/** Announces, in the transaction that changes a thing, that other homes are to be told. @param id uuid */
export function stateDue(service: ServiceName, kind: string, id: string): Announcement {
  return { data: { case: 'homeStateDue', value: { service, kind, id } } };
}

/** Tells the homes that have a part in a thing how it is now; one that has none any more is told that it is erased. */
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
      // Another process told of it meanwhile, perhaps how it is by now.
      if (before.rev !== rev) return false;
      await tellNow(tx, parts, due, before, now);
      return true;
    });
  }
}

/** The same in the transaction that changes the thing. */
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
  const now = Object.fromEntries((told?.homes ?? []).map((one) => [one.home, [...one.to]]));
  const left = Object.keys(before.homes).filter((one) => now[one] === undefined);
  // A home whose people may come back is told how it is without them; another one that it is no more.
  const farewells = told !== null && declared.comesBack === true ? left : [];
  const ends = left.filter((one) => !farewells.includes(one));
  const homes = [
    ...(told?.homes ?? []),
    ...farewells.map((farewell) => ({ home: farewell, to: before.homes[farewell] as string[] })),
  ];
  const shown = told?.id ?? before.shown;
  // A home that was restored from a backup does not go back.
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
  );
}

/** SHA-256 of all that is told, and to which homes. */
function digestOf({ data }: Announcement): Buffer {
  const { homes, bodyJson } = data.value as { homes: JsonObject[]; bodyJson: string };
  return hash('sha256', canonicalize({ homes, body: JSON.parse(bodyJson) as JsonObject }), 'buffer');
}
