import type { DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf';
import { printReference } from '@hearth/addresses';
import { day } from '@hearth/clock';
import { enumNames } from '@hearth/enum-names';
import { forbidden, internal, personNeeded } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { UnitOfWork } from '@hearth/outbox';
import { describeParty, proofOf } from '@hearth/people';
import { AiStatus, type Caller, ViaSchema } from '@hearth/proto/common/v1/caller';
import { declarationOf } from '@hearth/proto-json';
import { type Call, callerKinds, personOf } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import { namesOwn, saysWords, toAbroad, toHere } from './abroad.ts';
import { endWaiting, findCopy } from './copies-db.ts';
import type { ThingParts } from './home-things.ts';
import { asOthersMaySay } from './others-word.ts';
import { outOfBounds } from './out-of-bounds.ts';
import { poll } from './poll.ts';
import { readAnswer } from './read-state.ts';
import { isKeysAway } from './record.ts';
import type { ActDraft } from './sent-acts.ts';

/** How long a call waits for the other home's result. */
const waitMs = 4_000;
const longestMs = 14 * day;

const notYet = { object: { revision: -1 } as JsonObject, final: false };

const vias = enumNames(ViaSchema);

/** An operation on a remote thing. */
export interface CallElsewhere<Method extends DescMethod> {
  /** The thing's reference. */
  on: string;
  home: string;
  /** The message type of the thing. */
  thing: DescMessage;
  method: Method;
  /** The body of the operation. */
  request: JsonObject;
  caller: Caller;
  /** From the call, for an operation that creates something: it answers 200 if that already existed. */
  answerWith?: Call['answerWith'] | undefined;
  /** Whether an AI acts for its owner. */
  forPerson?: boolean;
  /** As in `ActDraft`. */
  ownerApproved?: JsonObject | undefined;
  /** When the act expires; 14 days from now by default. */
  expiresAt?: Date;
  /** Stored with the act. */
  kept?: JsonObject;
  /** Local changes that do not depend on the other home's answer, in the transaction that sends the act. */
  here?: (tx: UnitOfWork) => Promise<void>;
}

/**
 * Sends an operation to the home of its thing as an act, and waits a few seconds for the result. A pending
 * act with the same operation and request is not sent twice.
 *
 * @returns the answer as local callers read it; null while the result is pending
 * @throws the other home's refusal; unavailable (home_unreachable), forbidden (home_denied, needs_person,
 * minors_not_allowed)
 */
export async function callElsewhere<Method extends DescMethod>(
  parts: ThingParts,
  {
    on,
    home,
    method,
    request,
    caller,
    answerWith,
    forPerson = false,
    ownerApproved,
    expiresAt,
    kept = {},
    here,
    thing,
  }: CallElsewhere<Method>,
): Promise<MessageShape<Method['output']> | null> {
  const { clock, commit, database, otherHomes, peers, schema, sentActs } = parts;
  const operation = declarationOf(method);
  if (operation?.federated !== true) throw internal(`${method.name} is not declared federated`);
  if (caller.minor)
    throw forbidden('a person under 18 takes part in things of this home alone', {
      code: 'minors_not_allowed',
    });
  await otherHomes.requireTalks(home);
  const byAi = caller.kind === callerKinds.AI;
  const draft: ActDraft = {
    ...{ on, operation: operation.id, request, kept, by: byAi ? 'ai' : 'person' },
    actor: actorOf(caller),
    for: forPerson ? await personBehind(parts, caller, isPrivate) : undefined,
    ...{ proof: proofOf(caller), ownerApproved },
    via: vias.nameOf(caller.via) || 'api',
    expiresAt: expiresAt ?? new Date(clock.now() + longestMs),
  };
  const until = performance.now() + waitMs;
  const { act: sent, repeated } = await commit(async (tx) => {
    await here?.(tx);
    return await sentActs.sendOnce(tx, draft);
  });
  if (repeated) answerWith?.(200);
  const act = await sentActs.settled(sent.id, until);
  if (act === null || act.status === null) return null;
  const error = sentActs.errorOf(act);
  if (error !== null) throw error;
  if (act.status === 200) answerWith?.(200);
  const answer = JSON.parse(act.answer ?? '{}') as JsonObject;
  const viewers = [caller.id, caller.person].filter((id) => id !== '');
  await database.statement((tx) => endWaiting(tx, schema, on, viewers));
  await awaitState(answer);
  const isThing = method.output.typeName === thing.typeName;
  const read = await readHere(parts, method.output, answer, { home, isThing });
  return read as MessageShape<Method['output']> | null;

  async function isPrivate(ai: string): Promise<boolean> {
    const { results } = await peers.identity.findProfiles({ ids: [ai] }, { caller });
    return results[0]?.profile?.ownerPrivate !== false;
  }

  /** Waits for the state that follows the act, so that the next read of the copy shows the change. */
  async function awaitState({ id, revision }: JsonObject): Promise<void> {
    if (typeof revision !== 'number') return;
    // The copy of a thing that the act created has not arrived yet.
    const made = typeof id === 'string' && !id.startsWith('r:') ? printReference({ home, id }) : on;
    await poll(
      until,
      async () => (await findCopy(database.db, schema, made)) ?? notYet,
      ({ object, final }) => final || Number(object['revision']) >= revision,
    );
  }
}

/**
 * Reads another home's answer as local callers see it; null if it is invalid, or has a record that can't be
 * verified yet.
 */
export async function readHere<Desc extends DescMessage>(
  parts: Pick<ThingParts, 'clock' | 'database' | 'homeNames' | 'peers' | 'reader' | 'schema'>,
  desc: Desc,
  answer: JsonObject,
  { home, isThing }: { home: string; isThing: boolean },
): Promise<MessageShape<Desc> | null> {
  const { homeNames, reader } = parts;
  const told = await asOthersMaySay(parts, desc, toAbroad(desc, answer, home), home).catch(
    (error: unknown) => {
      if (!isKeysAway(error)) throw error;
      return null;
    },
  );
  if (told === null) return null;
  if (isThing && !saysWords(desc, told)) return null;
  if (outOfBounds(desc, told, { home, now: parts.clock.now() }, 'answer') !== null) return null;
  return namesOwn(desc, told, home, homeNames)
    ? readAnswer(reader, desc, toHere(desc, told, homeNames))
    : null;
}

/** Returns a local party as the author of an act or state, in the form that other homes read. */
export function actorOf({ id, address, kind, name, aiStatus, guest }: Caller): ActDraft['actor'] {
  const ai = kind === callerKinds.AI;
  const verified = ai ? aiStatus === AiStatus.CLAIMED : !guest;
  return { id, address, described: describeParty({ id, ai, name, verified, aiStatus }) };
}

/**
 * Returns the person that an AI acts for, as named to other homes; undefined unless the caller is an AI of a
 * person.
 *
 * @param isPrivate whether the owner of an AI (uuid) keeps the ownership private
 * @throws forbidden (needs_person) if they keep it private: they must act themselves
 */
export async function personBehind(
  { homeNames, people }: Pick<ThingParts, 'homeNames' | 'people'>,
  caller: Caller,
  isPrivate: (ai: string) => Promise<boolean>,
): Promise<JsonObject | undefined> {
  const own = caller.kind === callerKinds.AI ? personOf(caller) : null;
  const person = own === null ? null : await people.findOne(own);
  if (person === null) return undefined;
  if (await isPrivate(caller.id))
    throw personNeeded(
      'your person keeps private that you are theirs, so they answer other homes themselves',
    );
  const { id, handle, name } = person;
  return { id: printId('per', id), address: `${handle}@${homeNames.ownHome}`, name };
}
