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

/** An act on a thing of another home. */
export interface ActDraft {
  /** r:<home>:<id> of the thing. */
  on: string;
  operation: string;
  /** The body of the operation. */
  request: JsonObject;
  /** uuid of the person or AI that acts, its address, and the words of `describeParty` about it. */
  actor: { id: string; address: string; described: JsonObject };
  by: 'person' | 'ai' | 'rule';
  proof: string;
  via: string;
  /** The person for whom an AI acts. */
  for?: JsonObject | undefined;
  /** How the owner of an AI approved its signature; in sign_agreement alone. */
  ownerApproved?: JsonObject | undefined;
  /** The act is of no use any more then. */
  expiresAt: Date;
  /** Kept with the act, for whoever settles it. */
  kept: JsonObject;
}

/** An act that this home sent before it was restored from an older state, as another home gave it back. */
export interface ReturnedAct {
  /** uuid */
  id: string;
  /** r:<home>:<id> of the thing. */
  on: string;
  operation: string;
  request: JsonObject;
  /** uuid of the person or AI that acted, its address here, and the uuid of the one for whom it acted: itself, or an AI's person. */
  actor: string;
  address: string;
  viewer: string;
  by: 'person' | 'ai' | 'rule';
  proof: string;
  via: string;
  at: Date;
}

/** Acts of people and AIs of this home on things of others. */
export interface SentActs {
  /** Writes and announces an act, in the transaction of what it changes here. */
  send(tx: UnitOfWork, draft: ActDraft): Promise<SentAct>;
  /** Whether it is the same operation and request of the same caller. */
  isSame(act: SentAct, draft: ActDraft): boolean;
  /** Sends it, or gives the same act that is on its way already (`repeated`). */
  sendOnce(tx: UnitOfWork, draft: ActDraft): Promise<{ act: SentAct; repeated: boolean }>;
  /** Whether an act of one of these parties (uuids) on that thing has no result yet. */
  isPending(reference: string, actors: readonly string[]): Promise<boolean>;
  /** The act once its result is there, or as it is then. @param until of `performance.now()` */
  settled(id: string, until: number): Promise<SentAct | null>;
  /** @param db the transaction that read its id, where there is one */
  find(id: string, db?: Db): Promise<SentAct | null>;
  /** Stores an act that another home gave back; one that is here already stays as it is. @param keptOf what is kept with it */
  restore(
    tx: UnitOfWork,
    item: HomeItem,
    keptOf: (act: ReturnedAct) => Promise<JsonObject | null>,
  ): Promise<void>;
  /** The result that came for an act, once: null where it is no act of this service, or is settled already. */
  settle(tx: UnitOfWork, item: Pick<HomeItem, 'home' | 'bodyJson'>): Promise<SentAct | null>;
  /** The same for an act that could not be brought to its home. @param id act_... */
  giveUp(tx: UnitOfWork, id: string): Promise<SentAct | null>;
  /** The error of an act that was refused, or null. */
  errorOf(act: SentAct): HearthError | null;
}

/** Results are kept so long, and acts on a copy for as long as there is the copy: what its home says is compared with them. */
const keptMs = 30 * day;

/** @param service in whose schema the table `home_acts` is @param held whether it has the things themselves as `home_copies` */
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
    // It is read as jsonb, which has no U+0000.
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

/** Null for what this home can't have sent: its parties have ids of its own. */
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

/** One that is no status of HTTP counts as a failure of that home. */
function statusIn({ status }: JsonObject): number {
  return typeof status === 'number' && status >= 200 && status <= 599 ? status : 503;
}

/** About the operation that the caller tried. Any other is about the way between the homes, and says nothing of the caller here. */
const passedOn: readonly ErrorKind[] = ['bad_request', 'forbidden', 'not_found', 'not_built'];
/** Where the other home gives no code that this one knows. */
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

/** The refusal in the words of the other home, which are marked as its own: they are no word of this one. */
function toError(
  home: string,
  status: number,
  { error, code, field, free, needs_person: needsPerson }: JsonObject,
): HearthError {
  const kind = passedOn.find((one) => errorKinds[one].http === status) ?? 'unavailable';
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
