import { badRequest } from '@hearth/errors';
import { type ActDraft, actorOf, personBehind, poll, type SentAct } from '@hearth/home-acts';
import type { Caller } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import type { Context } from '../context.ts';
import { noteAct } from '../db/home-places.ts';
import type { GivenAnswer, RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { settledAlready, statusNow } from '../domain/machine.ts';
import { approvalsTopic, approvalTopic } from '../domain/topics.ts';

/** Chooses the caller's answer for the current state of the ask. */
type Decide = (whole: WholeApproval) => { place: RecipientRow; given: GivenAnswer };

/** How long the call waits for the other home's confirmation. */
const waitMs = 4_000;

/** Sends an answer to the home of the ask. Sends nothing if the same answer is in flight. */
export async function sendAnswer(
  context: Context,
  { approval: { id, home } }: WholeApproval,
  caller: Caller,
  decide: Decide,
): Promise<WholeApproval> {
  const { approvals, batched, clock, knownAis, peers, sentActs } = context;
  await peers.homes.requireTalks(home as string);
  const person = await personBehind(
    context,
    caller,
    async (ai) => (await knownAis([ai])).get(ai)?.ownerPrivate === true,
  );
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
  const act = await sentActs.settled(sent.id, until);
  const error = act === null ? null : sentActs.errorOf(act);
  if (error !== null) throw error;
  // An answer that settles the ask is followed by its new state a moment later.
  const settles = act !== null && isSettled(act);
  const after = await poll(
    until,
    () => batched.find(id),
    (whole) => !settles || whole.approval.status !== 'waiting',
  );
  return after ?? { approval: (await batched.find(id))!.approval, recipients: [] };
}

function isSettled({ answer }: SentAct): boolean {
  const { status } = JSON.parse(answer ?? '{}') as { status?: unknown };
  return status !== undefined && status !== 'waiting';
}

function draftOf(
  { id, digest, expires_at, reference }: WholeApproval['approval'],
  { position }: RecipientRow,
  given: GivenAnswer,
  caller: Caller,
  person: JsonObject | undefined,
): ActDraft {
  const { decision, answer, note, as, via, proof } = given;
  return {
    on: reference as string,
    operation: 'reply_approval',
    request: {
      decision,
      ...(answer !== null && { answer }),
      ...(note !== null && { note }),
      ask_digest: digest,
    },
    actor: actorOf(caller),
    ...{ by: as, proof, via, for: as === 'ai' ? person : undefined },
    expiresAt: expires_at,
    kept: {
      approval: id,
      position,
      given: { ...given, at: given.at.toISOString() } as unknown as JsonObject,
    },
  };
}
