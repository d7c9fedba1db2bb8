import { minute, second } from '@hearth/clock';
import type { HomeThings } from '@hearth/home-acts';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { Host } from '@hearth/runtime';
import type { Plans } from '../plans/module.ts';
import { eachDue, nextDueOf } from '../shared/actions/each-due.ts';
import { endsOfGroups } from '../shared/actions/end-of-groups.ts';
import { keepsPeople } from '../shared/actions/keep-people.ts';
import { advanceNow } from './actions/advance.ts';
import { createDecisions } from './actions/create-decisions.ts';
import { createHomeDecisions } from './actions/home-decisions.ts';
import { createDecisionSigning } from './actions/sign-decision.ts';
import { onAisUnclaimed } from './consumers/on-ais-unclaimed.ts';
import { type Context, peersOf } from './context.ts';
import { decisionTable, nextReview } from './db/decisions.ts';
import { newParticipant } from './domain/decision.ts';
import { tellReviews } from './jobs/tell-reviews.ts';

/** Group decisions: questions, answers, one proposal and its approval. */
export async function startDecisions(host: Host, homeThings: HomeThings, plans: Plans): Promise<void> {
  const parts = { ...host, peers: peersOf(host), things: createDecisions(host) };
  const context: Context = {
    ...parts,
    plans,
    copies: createHomeDecisions(parts, homeThings),
    acts: homeThings.acts,
    homeThings,
    signing: createDecisionSigning(parts),
    idempotency: host.idempotency(),
  };
  await host.serveRpcs(DecisionsService, import.meta.url, context);
  host.consume(keepsPeople('people', { ...context, table: decisionTable, newcomer: newParticipant }));
  host.consume(endsOfGroups('groups', context, decisionTable));
  host.consume(onAisUnclaimed(context));
  host.whenDue('advance-decisions', second, nextDueOf('decisions.decisions'), () =>
    eachDue(context, 'decisions.decisions', (id) => advanceNow(context, id)),
  );
  host.whenDue('sign-decisions', 5 * second, context.signing.nextDue, () => context.signing.due());
  host.whenDue('review-decisions', minute, { sql: nextReview }, () => tellReviews(context));
}
