import { create, type DescMethod, getOption, type Message, type MessageInitShape } from '@bufbuild/protobuf';
import { parseAddress, readId } from '@hearth/addresses';
import { enumNames } from '@hearth/enum-names';
import { asHearthError, errorKinds, forbidden, type HearthError, personNeeded } from '@hearth/errors';
import { derivedId, type Ids } from '@hearth/ids';
import { callerKindOf, sizesOf } from '@hearth/limits';
import { callerElsewhere } from '@hearth/people';
import { type Caller, CallerSchema, ProofSchema } from '@hearth/proto/common/v1/caller';
import {
  type HomeItem,
  HomeItemDecision,
  type HomeItemVerdictSchema,
} from '@hearth/proto/federation/v1/items';
import { http } from '@hearth/proto/google/api/annotations';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { CallerKind, FieldKind, type Operation, Scope } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import { createReader, declarationOf, readBody, rulesOf, writeJson } from '@hearth/proto-json';
import type { Call, CallOptions, ResponseMetadata } from '@hearth/rpc';
import type { Host, ServiceName } from '@hearth/runtime';
import { isJsonObject, type JsonObject, type JsonValue, maxSignedDepth } from '@hearth/signing';
import { mostBytes } from './states.ts';

export type Verdict = MessageInitShape<typeof HomeItemVerdictSchema>;

/** An act that is being carried out. */
export interface ReceivedAct {
  /** r:<home>:<id> */
  id: string;
  /** The home that signed it. */
  home: string;
  operation: string;
  /** Whether a rule of the sender declines for them, without a person or AI acting. */
  byRule: boolean;
  /** Whether an AI signs an agreement, and its home states that its owner approved. */
  ownerApproved: boolean;
  /** The whole item in JSON, as signed by its home. */
  item: string;
}

/** Acts of remote parties, carried out as the operation that they name. */
export interface ReceivedActs {
  /** Calls the operation as a local caller would, and returns its answer. */
  take(item: HomeItem, call: Call): Promise<Verdict>;
  /** Returns the act by which this caller acts; null for a local caller. */
  of(caller: Caller): ReceivedAct | null;
  /** Returns the operation and the whole item, for a record of what was said; undefined for a local caller. */
  said(caller: Caller): { operation: string; item: string } | undefined;
}

type ActDeps = Pick<Host, 'homeNames' | 'limiter' | 'limits' | 'log' | 'peer'>;

interface Federated {
  declared: Operation;
  desc: DescMethod;
  /** The field that names the object. */
  objectField: string;
}

const timeoutMs = 8_000;
const mostActBytes = 24 * 1024;
const deepestAct = maxSignedDepth - 8;
const proofs = enumNames(ProofSchema);
const rejected = (code: string): Verdict => ({ decision: HomeItemDecision.REJECTED, code });
const broken = (path: string, rule: string): Verdict => ({ ...rejected('schema'), path, rule });
/** Failures of this home itself: the act is retried. */
const ownFailures = new Set(['internal', 'unavailable', 'deadline_exceeded']);

/**
 * Returns the uuid of what a caller creates. A remote act determines the uuid, so that a home restored from a
 * backup, which carries the act out again, creates the thing that other homes know.
 *
 * @param on uuid of the thing that the act is on
 */
export const newId = (ids: Pick<Ids, 'uuid'>, on: string, { act }: Caller): string =>
  act === '' ? ids.uuid() : derivedId(on, act);

/** @param service whose `federated` operations are carried out */
export function createReceivedActs(parts: ActDeps, service: ServiceName): ReceivedActs {
  const operations = federatedOf(service);
  const parties = parts.peer('identity', PartiesService);
  const reader = createReader({ bounds: sizesOf(parts.limits), ignoreUnknown: true });
  const running = new Map<string, ReceivedAct>();
  const inHand = new Map<string, Promise<Verdict>>();

  async function callerOf(item: HomeItem, body: JsonObject, call: Call): Promise<Caller | null> {
    const met = await parties.meetParty({ address: item.from, senderJson: item.senderJson }, { call });
    if (met.profile === undefined) return null;
    const sender = callerElsewhere(met.profile);
    const byPerson = sender.kind === CallerKind.PERSON;
    if ((body['by'] === 'person' && !byPerson) || (body['by'] === 'ai' && byPerson)) return null;
    const person = byPerson ? null : await personBehind(item, body['for'], call);
    if (person === undefined) return null;
    return create(CallerSchema, {
      ...sender,
      person: person ?? '',
      // The sender's home vouches for its permissions, and for how the person confirmed.
      scopes: byPerson ? [] : [Scope.READ, Scope.MESSAGE, Scope.GROUP, Scope.INVITE, Scope.APPROVE],
      proof: byPerson ? proofs.valueOf(String(body['proof'])) : 0,
      act: item.id,
    });
  }

  /**
   * Returns the uuid of the person that an AI acts for; null if there is none, undefined if the home may not
   * name that person.
   */
  async function personBehind(
    item: HomeItem,
    named: unknown,
    call: Call,
  ): Promise<string | null | undefined> {
    if (named === undefined) return null;
    if (!isJsonObject(named) || typeof named['address'] !== 'string') return undefined;
    const address = parseAddress(named['address'], parts.homeNames);
    if (address?.kind !== 'person' || address.home !== item.home) return undefined;
    const { id, name = address.handle } = named;
    const senderJson = JSON.stringify({ id, kind: 'person', name, status: 'person' });
    return (await parties.meetParty({ address: named['address'], senderJson }, { call })).profile?.id;
  }

  async function run(
    item: HomeItem,
    body: JsonObject,
    { declared, desc, objectField }: Federated,
    call: Call,
  ) {
    const read = readId(String(body['on']), parts.homeNames);
    const caller = await callerOf(item, body, call);
    if (!('id' in read))
      return broken('body.on', 'must be the reference of a thing of the home that receives it');
    if (caller === null)
      return broken('sender', 'must be a party of the home that sends it, and so must body.for');
    if (!declared.callers.includes(caller.kind)) throw forbidden('callers of this kind may not do that');
    if (declared.personOnly && body['by'] !== 'person')
      throw personNeeded('a person has to do this themselves');
    // Counted as the gateway counts local callers; an AI counts with its owner, because its home decides how
    // many AIs a person has.
    await parts.limiter.consume('writes_a_minute', caller.person || caller.id, callerKindOf(caller));
    const json = readBody(desc.input, { ...(body['request'] as JsonObject), [objectField]: read.id });
    const request = reader.readMessage(desc.input, json) as Message & { requestId?: string };
    // Makes a repeated act idempotent.
    if (desc.input.field['requestId'] !== undefined) request.requestId ??= item.id;
    const client = parts.peer(service, desc.parent) as unknown as Record<
      string,
      (request: Message, options: CallOptions) => Promise<Message>
    >;
    let status = declared.successStatus || 200;
    const onMetadata = ({ httpStatus }: ResponseMetadata) => {
      status = httpStatus || status;
    };
    const answer = await client[desc.localName]!(request, { caller, timeoutMs, onMetadata });
    return ok({ status, answerJson: fitting(writeJson(desc.output, answer)) });
  }

  const of = ({ act }: Caller) => (act === '' ? null : (running.get(act) ?? null));
  /** Carries out an act that is not in progress. */
  async function takeOnce(item: HomeItem, call: Call): Promise<Verdict> {
    const body = JSON.parse(item.bodyJson) as JsonObject;
    const operation = operations.get(String(body['operation']));
    if (operation === undefined) return rejected('unknown_operation');
    const { id, home, itemJson } = item;
    // A record includes the whole act, within its own depth limit; even the longest post is far shorter.
    if (Buffer.byteLength(itemJson) > mostActBytes) return rejected('too_large');
    if (depthOf(JSON.parse(itemJson)) > deepestAct)
      return broken('body.request', `must make the item at most ${deepestAct} levels deep`);
    const { id: called } = operation.declared;
    const byRule = body['by'] === 'rule';
    const ownerApproved = body['owner_approved'] !== undefined;
    running.set(id, { id, home, operation: called, byRule, ownerApproved, item: itemJson });
    try {
      return await run(item, body, operation, call);
    } catch (thrown) {
      const error = asHearthError(thrown);
      if (!ownFailures.has(error.kind)) return ok(refusalOf(error));
      parts.log.warn({ err: thrown, act: id }, 'an act of another home waits');
      return { decision: HomeItemDecision.LATER };
    } finally {
      running.delete(id);
    }
  }

  return {
    // A slow act may be delivered again while it is still being carried out.
    async take(item, call) {
      const taken = inHand.get(item.id) ?? takeOnce(item, call).finally(() => inHand.delete(item.id));
      inHand.set(item.id, taken);
      return await taken;
    },
    of,
    said(caller) {
      const { operation, item } = of(caller) ?? {};
      return operation === undefined || item === undefined ? undefined : { operation, item };
    },
  };
}

/** Returns the nesting depth; strict JSON has at most 32 levels. */
function depthOf(value: JsonValue | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/**
 * A result must fit into an item: if the answer is too long, its longest members are left out, since the
 * state follows anyway.
 */
function fitting(json: string): string {
  if (Buffer.byteLength(json) <= mostBytes) return json;
  const byLength = Object.entries(JSON.parse(json) as JsonObject)
    .map(([name, value]) => ({ name, value, text: JSON.stringify(value) }))
    .sort((one, other) => one.text.length - other.text.length);
  let left = mostBytes;
  const kept = byLength.filter(({ name, text }) => {
    left -= Buffer.byteLength(`"${name}":${text},`);
    return left > 0;
  });
  return JSON.stringify(Object.fromEntries(kept.map(({ name, value }) => [name, value])));
}

const ok = (result: Verdict['result']): Verdict => ({ decision: HomeItemDecision.OK, result });

function refusalOf(error: HearthError) {
  const { code, field, free, needsPerson } = error.details;
  const shown = {
    error: error.message,
    ...(code !== undefined && { code }),
    ...(field !== undefined && { field }),
    ...(free !== undefined && { free }),
    ...(needsPerson === true && { needs_person: true }),
  };
  return { status: errorKinds[error.kind].http, errorJson: JSON.stringify(shown) };
}

/** Returns the field that names an operation's object: the one in its path, or the first reference field. */
export function objectFieldOf(desc: DescMethod): string {
  const [, inPath] = /\{([a-z_]+)\}/.exec(String(getOption(desc, http).pattern.value)) ?? [];
  const named = desc.input.fields.find((field) => rulesOf(field).kind === FieldKind.REFERENCE);
  return inPath ?? named?.name ?? 'id';
}

function federatedOf(service: ServiceName): Map<string, Federated> {
  const methods = services
    .filter(({ typeName }) => typeName.startsWith(`hearth.${service}.`))
    .flatMap(({ methods }) => methods);
  return new Map(
    methods.flatMap((desc) => {
      const declared = declarationOf(desc);
      if (declared?.federated !== true) return [];
      return [[declared.id, { declared, desc, objectField: objectFieldOf(desc) }] as const];
    }),
  );
}
