import { setTimeout } from 'node:timers/promises';
import { badRequest, forbidden } from '@hearth/errors';
import type { ActDraft, SentAct } from '@hearth/home-acts';
import { printId } from '@hearth/ids';
import { describeParty } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import type { Context } from '../context.ts';
import { noteAct } from '../db/home-places.ts';
import type { GivenAnswer, RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { settledAlready, statusNow } from '../domain/machine.ts';
import { approvalsTopic, approvalTopic } from '../domain/topics.ts';

/** The answer that a caller may give, for the ask as it is then. */
type Decide = (whole: WholeApproval) => { place: RecipientRow; given: GivenAnswer };

/** So long the call waits for the word of the other home. */
const waitMs = 4_000;
const firstPauseMs = 20;
const longestPauseMs = 250;

/** Sends an answer to the home of the ask. The same answer that is on its way already is not sent twice. */
export async function sendAnswer(
  context: Context,
  { approval: { id, home } }: WholeApproval,
  caller: Caller,
  decide: Decide,
): Promise<WholeApproval> {
  const { approvals, batched, clock, peers, sentActs } = context;
  await peers.homes.requireTalks(home as string);
  const person = await personNamed(context, caller);
  const sent = await approvals.locked(id, async (tx, whole) => {
    const { approval } = whole;
    const status = statusNow(approval, clock.now());
    if (status !== 'waiting') throw settledAlready(status);
    const { place, given } = decide(whole);
    const draft = draftOf(approval, place, given, caller, place.kind === 'person' ? person : undefined);
    if (place.act !== null) {
      const before = await sentActs.find(place.act, tx);
      if (before !== null && sentActs.isSame(before, draft)) return before;
      throw badRequest('an answer is on its way already, and it is final', { code: 'already_settled' });
    }
    const act = await sentActs.send(tx, draft);
    await noteAct(tx, place, act.id);
    tx.wake(
      approvalTopic(id),
      ...[caller.id, place.owner].flatMap((one) => (one ? approvalsTopic(one) : [])),
    );
    return act;
  });
  const until = performance.now() + waitMs;
  const act = await poll(
    until,
    async () => await sentActs.find(sent.id),
    ({ status }) => status !== null,
  );
  const error = act === null ? null : sentActs.errorOf(act);
  if (error !== null) throw error;
  // The state follows by itself: a moment later, when the answer settled it.
  const settles = act !== null && isSettled(act);
  const after = await poll(
    until,
    () => batched.find(id),
    (whole) => !settles || whole.approval.status !== 'waiting',
  );
  return after ?? { approval: (await batched.find(id))!.approval, recipients: [] };
}

/** Asks until it is so, or the time is over; then it is as it is. */
async function poll<Thing>(
  until: number,
  find: () => Promise<Thing | null>,
  isSo: (thing: Thing) => boolean,
): Promise<Thing | null> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const found = await find();
    if (found === null || isSo(found) || performance.now() + pause > until) return found;
    await setTimeout(pause);
  }
}

function isSettled({ answer }: SentAct): boolean {
  const { status } = JSON.parse(answer ?? '{}') as { status?: unknown };
  return status !== undefined && status !== 'waiting';
}

/** The person for whom an AI answers; undefined for a person themselves. */
async function personNamed(
  { homeNames, knownAis, people }: Context,
  caller: Caller,
): Promise<JsonObject | undefined> {
  const own = caller.kind === callerKinds.AI ? personOf(caller) : null;
  const person = own === null ? null : await people.findOne(own);
  if (person === null) return undefined;
  const facts = (await knownAis([caller.id])).get(caller.id);
  if (facts?.ownerPrivate === true)
    throw forbidden('your person keeps private that you are theirs, so they answer other homes themselves', {
      code: 'needs_person',
      needsPerson: true,
    });
  const { id, handle, name } = person;
  return { id: printId('per', id), address: `${handle}@${homeNames.ownHome}`, name };
}

function draftOf(
  { id, digest, expires_at, reference }: WholeApproval['approval'],
  { position }: RecipientRow,
  given: GivenAnswer,
  caller: Caller,
  person: JsonObject | undefined,
): ActDraft {
  const { decision, answer, note, as, via, proof } = given;
  const ai = as === 'ai';
  const verified = ai ? caller.aiStatus === AiStatus.CLAIMED : !caller.guest;
  const described = describeParty({
    id: caller.id,
    ai,
    name: caller.name,
    verified,
    aiStatus: caller.aiStatus,
  });
  return {
    on: reference as string,
    operation: 'reply_approval',
    request: {
      decision,
      ...(answer !== null && { answer }),
      ...(note !== null && { note }),
      ask_digest: digest,
    },
    actor: { id: caller.id, address: caller.address, described },
    ...{ by: as, proof, via, for: ai ? person : undefined },
    expiresAt: expires_at,
    kept: {
      approval: id,
      position,
      given: { ...given, at: given.at.toISOString() } as unknown as JsonObject,
    },
  };
}
