import { shorten } from '@hearth/addresses';
import { day } from '@hearth/clock';
import { badRequest, notFound } from '@hearth/errors';
import { english } from '@hearth/i18n';
import type { Claim } from '@hearth/idempotency';
import { printId } from '@hearth/ids';
import {
  type ProposeRequestRulesRequest,
  RequestRulesService,
} from '@hearth/proto/approvals/v1/request_rules';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { findSubject, mayChange } from '../actions/find-subject.ts';
import type { Context } from '../context.ts';
import { findProposal, findWaitingProposal, insertProposal, type ProposalRow } from '../db/rule-proposals.ts';
import { findRules } from '../db/rules.ts';
import { proposalNotice, proposalTitle } from '../domain/events.ts';
import { ruleWords } from '../domain/rule-copy.ts';
import { toProposal, wantedRules } from '../domain/rule-rows.ts';
import { changedRows, isEmpty } from '../domain/rules.ts';
import { rulesFor } from '../domain/rules-of.ts';
import { toStored } from '../domain/stored-rules.ts';

/** The default of all asks. */
const waitsMs = 7 * day;
const titleCharacters = 140;

/**
 * Proposes changes of rules to the person. Nothing changes until they accept, and only one proposal waits at
 * a time.
 */
export const proposeRequestRules =
  (context: Context): UnaryHandler<typeof RequestRulesService.method.proposeRequestRules> =>
  async (request, call) =>
    await context.idempotency.once(call, RequestRulesService.method.proposeRequestRules, request, {
      make: (claim) => propose(context, request, claim, call),
      async repeat({ proposal }) {
        const found = await findProposal(context.database.db, proposal);
        if (found === null) throw notFound();
        return toProposal(found);
      },
    });

async function propose(
  context: Context,
  request: ProposeRequestRulesRequest,
  claim: Claim<{ proposal: string }>,
  { caller, answerWith }: Call,
) {
  const { asks, clock, database, ids } = context;
  const subject = await findSubject(context, undefined, caller);
  mayChange(subject);
  const { facts, minor } = subject;
  const kept = (await findRules(database.db, [facts.id])).get(facts.id) ?? null;
  const present = rulesFor(kept, minor);
  const wanted = wantedRules(request, present);
  const changes = changedRows(present.rows, wanted.rows);
  if (isEmpty(changes))
    throw badRequest('nothing would change: these are the rules that your person has already', {
      code: 'already_settled',
    });

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
  const ask = {
    id: proposal.id,
    title: shorten(english.words(proposalTitle(caller)), titleCharacters),
    details: ruleWords(changes),
    asked_at: proposal.at,
    expires_at: proposal.expiresAt,
  };
  const written = await asks().askAboutRules(ask, facts, caller, async (tx) => {
    if (!(await insertProposal(tx, proposal))) return false;
    await claim(tx, { proposal: proposal.id });
    tx.announce(proposalNotice(facts, proposal, caller));
    return true;
  });
  if (written) return toProposal(proposal);
  const waiting = await findWaitingProposal(database.db, facts.id);
  if (waiting !== null && keyOf(waiting) === keyOf(proposal)) {
    answerWith(200);
    return toProposal(waiting);
  }
  const which = waiting === null ? '' : ` (${printId('apr', waiting.id)}, by ${waiting.aiAddress})`;
  throw badRequest(`a proposal waits for your person already${which}; they answer it first`, {
    code: 'cap_reached',
  });
}

/** Expires an overdue proposal, which would otherwise block the next one until the job runs. */
async function expireOver({ asks, clock, database }: Context, person: string): Promise<void> {
  const waiting = await findWaitingProposal(database.db, person);
  if (waiting !== null && waiting.expiresAt.getTime() <= clock.now()) await asks().expire(waiting.id);
}

/** Identifies a proposal's content: a repeated request is not a second proposal. */
function keyOf({ ai, preset, changes }: ProposalRow): string {
  const rows = Object.entries(changes).map(([kind, { action, checked_only, weekly_cap }]) => [
    kind,
    action,
    checked_only,
    weekly_cap,
  ]);
  return JSON.stringify([ai, preset, rows.sort()]);
}
