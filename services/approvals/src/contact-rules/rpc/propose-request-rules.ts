import { day } from '@hearth/clock';
import { badRequest } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { callerKinds } from '@hearth/rpc';
import { recordAsked } from '../../asks/actions/metrics.ts';
import { proposalAsk } from '../../asks/actions/proposal-ask.ts';
import { insertAsks } from '../../asks/db/insert-asks.ts';
import { mayChange, whoseRules } from '../actions/find-subject.ts';
import { toProposal } from '../actions/show-rules.ts';
import type { RulesContext } from '../context.ts';
import { findWaitingProposal, insertProposal, type ProposalRow } from '../db/rule-proposals.ts';
import { findRules } from '../db/rules.ts';
import { wantedRules } from '../domain/read-rows.ts';
import { changedRows, isEmpty } from '../domain/rules.ts';
import { rulesFor } from '../domain/rules-of.ts';
import { toStored } from '../domain/stored-rules.ts';
import type { RequestRulesHandlers } from './index.ts';

/** As every ask for which nothing else is said. */
const waitsMs = 7 * day;

/** Asks the person which rows would change. Nothing changes until they accept, and one proposal waits at a time. */
export const proposeRequestRules =
  (context: RulesContext): RequestRulesHandlers['proposeRequestRules'] =>
  async (request, { caller, answerWith }) => {
    const { clock, database, ids, outbox, people } = context;
    const subject = await whoseRules(people, undefined, caller);
    if (caller.kind !== callerKinds.AI)
      throw badRequest('these are your own rules: set them with PUT /v0/request-rules');
    mayChange(subject);
    const { facts, minor } = subject;
    const kept = (await findRules(database.db, [facts.id])).get(facts.id) ?? null;
    const present = rulesFor(kept, minor);
    const wanted = wantedRules(request, present);
    const changes = changedRows(present.rows, wanted.rows);
    if (isEmpty(changes))
      throw badRequest('nothing would change: these are the rules that your person has already');

    await expireOver(context, facts.id);
    const now = clock.now();
    const proposal: ProposalRow = {
      id: ids.uuid(),
      person: facts.id,
      app: facts.app || null,
      ai: caller.id,
      aiAddress: caller.address,
      preset: wanted.preset,
      changes: toStored(changes),
      status: 'waiting',
      at: new Date(now),
      expiresAt: new Date(now + waitsMs),
    };
    const { rows, events } = await proposalAsk(context, proposal, facts, caller);
    const written = await database.transaction(async (tx) => {
      if (!(await insertProposal(tx, proposal))) return false;
      await insertAsks(tx, [{ ...rows, events }]);
      return true;
    });
    if (written) {
      outbox.committed(events);
      recordAsked({ kind: 'rules' });
      return toProposal(proposal);
    }
    const waiting = await findWaitingProposal(database.db, facts.id);
    if (waiting !== null && saysTheSame(waiting, proposal)) {
      answerWith(200);
      return toProposal(waiting);
    }
    const which = waiting === null ? '' : ` (${printId('apr', waiting.id)}, by ${waiting.aiAddress})`;
    throw badRequest(`a proposal waits for your person already${which}; they answer it first`);
  };

/** One whose time is over makes room, also before the job has seen to it. */
async function expireOver({ asks, clock, database }: RulesContext, person: string): Promise<void> {
  const waiting = await findWaitingProposal(database.db, person);
  if (waiting !== null && waiting.expiresAt.getTime() <= clock.now()) await asks.expire(waiting.id);
}

/** A repeated request, which is no second proposal. */
function saysTheSame(one: ProposalRow, other: ProposalRow): boolean {
  const key = ({ ai, preset, changes }: ProposalRow) =>
    JSON.stringify([
      ai,
      preset,
      Object.entries(changes)
        .map(([kind, { action, checked_only, weekly_cap }]) => [kind, action, checked_only, weekly_cap])
        .sort(),
    ]);
  return key(one) === key(other);
}
