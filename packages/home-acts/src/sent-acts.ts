import { hash } from 'node:crypto';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { asAt, cleanLine, type HomeNames, parseReference, readId, shorten } from '@hearth/addresses';
import { day } from '@hearth/clock';
import type { Db } from '@hearth/db';
import { codes, type ErrorCode, type ErrorKind, errorKinds, HearthError, internal } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import type { UnitOfWork } from '@hearth/outbox';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import type { Host, ServiceName } from '@hearth/runtime';
import { canonicalize, isJsonObject, type JsonObject } from '@hearth/signing';
import {
  findAct,
  hasPendingAct,
  insertAct,
  lockPendingAct,
  notReached,
  purgeActs,
  type SentAct,
  settleAct,
} from './db.ts';
import { hasZero } from './has-zero.ts';
import { poll } from './poll.ts';

export type { SentAct } from './db.ts';

/** An act on a remote thing. */
export interface ActDraft {
  /** r:<home>:<id> of the thing. */
  on: string;
  operation: string;
  /** The body of the operation. */
  request: JsonObject;
  /** The acting person or AI: its uuid, its address, and its description from `describeParty`. */
  actor: { id: string; address: string; described: JsonObject };
  by: 'person' | 'ai' | 'rule';
  proof: string;
  via: string;
  /** The person that an AI acts for. */
  for?: JsonObject | undefined;
  /** How an AI's owner approved its signature; only for sign_agreement. */
  ownerApproved?: JsonObject | undefined;
  /** When the act expires. */
  expiresAt: Date;
  /** Stored with the act, for use when it settles. */
  kept: JsonObject;
}

/** An act that this home lost when it was restored from a backup, as another home gave it back. */
export interface ReturnedAct {
  /** uuid */
  id: string;
  /** r:<home>:<id> of the thing. */
  on: string;
  operation: string;
  request: JsonObject;
  /**
   * The acting person or AI (uuid), its address here, and the uuid of the one it acted for: itself, or an
   * AI's owner.
   */
  actor: string;
  address: string;
  viewer: string;
  by: 'person' | 'ai' | 'rule';
  proof: string;
  via: string;
  at: Date;
}

/** Acts of local people and AIs on remote things. */
export interface SentActs {
  /** Stores and announces an act, in the transaction of its local changes. */
  send(tx: UnitOfWork, draft: ActDraft): Promise<SentAct>;
  /** Whether it is the same operation and request of the same caller. */
  isSame(act: SentAct, draft: ActDraft): boolean;
  /** Sends an act, or returns the same act if it is pending (`repeated`). */
  sendOnce(tx: UnitOfWork, draft: ActDraft): Promise<{ act: SentAct; repeated: boolean }>;
  /** Whether one of these parties (uuids) has a pending act on that thing. */
  isPending(reference: string, actors: readonly string[]): Promise<boolean>;
  /** Waits for an act's result; returns the act, settled or not. @param until in terms of `performance.now()` */
  settled(id: string, until: number): Promise<SentAct | null>;
  /** @param db the transaction that read the id, if any */
  find(id: string, db?: Db): Promise<SentAct | null>;
  /**
   * Stores an act that another home gave back; an existing act stays unchanged.
   *
   * @param keptOf returns what to keep with it
   */
  restore(
    tx: UnitOfWork,
    item: HomeItem,
    keptOf: (act: ReturnedAct) => Promise<JsonObject | null>,
  ): Promise<void>;
  /** Stores an act's result, once; null if this service has no such act, or it is already settled. */
  settle(tx: UnitOfWork, item: Pick<HomeItem, 'home' | 'bodyJson'>): Promise<SentAct | null>;
  /** `settle` for an act that could not be delivered. @param id act_... */
  giveUp(tx: UnitOfWork, id: string): Promise<SentAct | null>;
  /** Returns the error of a refused act, or null. */
  errorOf(act: SentAct): HearthError | null;
}

/**
 * How long results are kept. Acts on a copy are kept as long as the copy: its home's statements are compared
 * with them.
 */
const keptMs = 30 * day;

/**
 * @param service whose schema has the table `home_acts`
 * @param held whether the service has the things as `home_copies`
 */
export function createSentActs(
  host: Pick<Host, 'clock' | 'database' | 'every' | 'homeNames' | 'ids'>,
  service: ServiceName,
  held: { copies: boolean },
): SentActs {
  const { clock, database, homeNames, ids } = host;
  host.every('purge-home-acts', day, () =>
    database.statement((tx) => purgeActs(tx, service, new Date(clock.now() - keptMs), held)),
  );
  const settle = async (tx: UnitOfWork, id: string, home: string | null, body: JsonObject) => {
    const status = home === null ? notReached : statusIn(body);
    const error = isJsonObject(body['error']) ? JSON.stringify(body['error']) : null;
    const said = body['answer'];
    // Read as jsonb, which cannot hold U+0000.
    const answer = isJsonObject(said) && !hasZero(said) ? JSON.stringify(said) : null;
    return await settleAct(tx, service, { id, home, status, error, answer, at: new Date(clock.now()) });
  };
  const send = async (tx: UnitOfWork, draft: ActDraft): Promise<SentAct> => {
    const id = ids.uuid();
    const { on, operation, request, actor, by, proof, via, ownerApproved, expiresAt, kept } = draft;
    const home = parseReference(on, homeNames)?.home;
    if (home === undefined) throw internal(`${on} is of no home`);
    const act: SentAct = {
      ...{ id, home, object: on, operation, actor: actor.id, digest: digestOf(draft), kept },
      ...{ status: null, error: null, answer: null },
    };
    await insertAct(tx, service, act, new Date(clock.now()));
    const body = {
      ...{ on, operation, request, by, proof, via },
      ...(draft.for && { for: draft.for }),
      ...(ownerApproved && { owner_approved: ownerApproved }),
    };
    tx.announce({
      data: {
        case: 'itemForHomes',
        value: {
          ...{ service, type: HomeItemType.ACT, id: printId('act', id), homes: [{ home }] },
          ...{ from: actor.address, senderJson: JSON.stringify(actor.described) },
          ...{ bodyJson: JSON.stringify(body), expiresAt: timestampFromDate(expiresAt) },
        },
      },
    });
    return act;
  };
  return {
    send,
    async sendOnce(tx, draft) {
      const { on: object, actor } = draft;
      const before = await lockPendingAct(tx, service, { object, actor: actor.id, digest: digestOf(draft) });
      return { act: before ?? (await send(tx, draft)), repeated: before !== null };
    },
    isPending: (reference, actors) => hasPendingAct(database.db, service, reference, actors),
    settled: (id, until) =>
      poll(
        until,
        () => findAct(database.db, service, id),
        ({ status }) => status !== null,
      ),
    isSame: ({ actor, digest }, draft) => actor === draft.actor.id && digest.equals(digestOf(draft)),
    find: (id, db = database.db) => findAct(db, service, id),
    async restore(tx, item, keptOf) {
      const act = readReturned(item, homeNames);
      if (act === null || (await findAct(tx, service, act.id)) !== null) return;
      const { id, on, operation, request, actor, address: from, viewer, at } = act;
      const kept = (await keptOf(act)) ?? { viewer, request, from };
      const row = { id, home: item.home, object: on, operation, actor, digest: digestOf(act), kept };
      await insertAct(tx, service, { ...row, status: null, error: null, answer: null }, at);
    },
    async settle(tx, { home, bodyJson }) {
      const body = JSON.parse(bodyJson) as JsonObject;
      const read = readId(String(body['act']), homeNames);
      const id = 'id' in read ? parseId('act', read.id) : null;
      return id === null ? null : await settle(tx, id, home, body);
    },
    async giveUp(tx, printed) {
      const id = parseId('act', printed);
      return id === null ? null : await settle(tx, id, null, {});
    },
    errorOf: ({ home, status, error }) => {
      if (status === notReached) return unreachable();
      if (status === null || status < 300) return null;
      return toError(home, status, JSON.parse(error ?? '{}') as JsonObject);
    },
  };
}

/** Returns null unless this home can have sent it: the parties must have local ids. */
function readReturned({ id, from, bodyJson, itemJson, issuedAt }: HomeItem, homeNames: HomeNames) {
  const body = JSON.parse(bodyJson) as JsonObject;
  const { sender } = JSON.parse(itemJson) as { sender?: JsonObject };
  const read = readId(id, homeNames);
  const act = 'id' in read ? parseId('act', read.id) : null;
  const actor = partyIn(sender);
  const viewer = isJsonObject(body['for']) ? partyIn(body['for']) : actor;
  if (act === null || actor === null || viewer === null || issuedAt === undefined) return null;
  const { on, operation, request, by, proof, via } = body;
  const said = { on, operation, request, by, proof, via } as Pick<
    ReturnedAct,
    'on' | 'operation' | 'request' | 'by' | 'proof' | 'via'
  >;
  return {
    ...said,
    id: act,
    actor,
    viewer,
    address: asAt(from, homeNames.ownHome),
    at: timestampDate(issuedAt),
  };
}

function partyIn(described: JsonObject | undefined): string | null {
  const id = String(described?.['id']);
  return parseId('per', id) ?? parseId('ai', id);
}

function digestOf({ on, operation, request }: Pick<ActDraft, 'on' | 'operation' | 'request'>): Buffer {
  return hash('sha256', canonicalize({ on, operation, request }), 'buffer');
}

function unreachable(): HearthError {
  return new HearthError('unavailable', 'the home of this cannot be reached; try again later', {
    code: 'home_unreachable',
  });
}

/** A number that is no HTTP status counts as a failure of that home. */
function statusIn({ status }: JsonObject): number {
  return typeof status === 'number' && status >= 200 && status <= 599 ? status : 503;
}

/**
 * Errors about the operation that the caller tried. Any other error concerns the connection between the
 * homes, not the caller.
 */
const passedOn: readonly ErrorKind[] = ['bad_request', 'forbidden', 'not_found', 'not_built'];
/** For an error without a code that this home knows. */
const usualCodes: Partial<Record<ErrorKind, ErrorCode>> = {
  forbidden: 'no_permission',
  not_found: 'not_found',
  not_built: 'not_built',
  unavailable: 'home_unreachable',
};
const known: readonly string[] = codes;
const fieldName = /^[a-z0-9_.[\]]{1,100}$/;
const mostCharacters = 300;
const mostFree = 10;
const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,15}Z$/.test(value);

/** Returns the refusal with the other home's text, marked as that home's own words. */
function toError(
  home: string,
  status: number,
  { error, code, field, free, needs_person: needsPerson }: JsonObject,
): HearthError {
  const kind = passedOn.find((known) => errorKinds[known].http === status) ?? 'unavailable';
  const words = typeof error === 'string' ? shorten(cleanLine(error), mostCharacters) : '';
  const said = kind !== 'unavailable' && typeof code === 'string' && known.includes(code);
  const shown = said ? (code as ErrorCode) : usualCodes[kind];
  return new HearthError(kind, `${home} refused it${words === '' ? '' : `: "${words}"`}`, {
    ...(shown !== undefined && { code: shown }),
    ...(typeof field === 'string' && fieldName.test(field) && { field }),
    ...(Array.isArray(free) && { free: free.filter(isInstant).slice(0, mostFree) }),
    ...(needsPerson === true && { needsPerson }),
  });
}
