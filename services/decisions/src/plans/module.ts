import { second } from '@hearth/clock';
import type { HomeThings } from '@hearth/home-acts';
import { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { eachDue, nextDueOf } from '../shared/actions/each-due.ts';
import { findToldElsewhere } from '../shared/actions/elsewhere.ts';
import { endsOfGroups } from '../shared/actions/end-of-groups.ts';
import { keepsPeople } from '../shared/actions/keep-people.ts';
import { advanceNow } from './actions/advance.ts';
import { askAgain } from './actions/ask-organizers.ts';
import { course } from './actions/course.ts';
import { createPlans } from './actions/create-plans.ts';
import { createHomePlans } from './actions/home-plans.ts';
import { createPlanSigning } from './actions/sign-plan.ts';
import { onApprovalSettled } from './consumers/on-approval-settled.ts';
import { type Context, peersOf } from './context.ts';
import { planTable, type WholePlan } from './db/plans.ts';
import { newPlanner } from './domain/plan.ts';
import { askDue, askUnasked } from './jobs/ask-unasked.ts';

/** Plans, as used by the other modules of this service. */
export interface Plans {
  /**
   * A local or remote plan.
   *
   * @throws not_found unless the caller may see it; an app acting for no person may also see plans whose
   * outcome it receives
   */
  findTold(reference: string, caller: Caller): Promise<Pick<WholePlan['row'], 'id'> & { status: string }>;
}

/** Group plans: proposed times, each person's stances, and the option settled on. */
export async function startPlans(host: Host, homeThings: HomeThings): Promise<Plans> {
  const parts = { ...host, peers: peersOf(host), things: createPlans(host) };
  const context: Context = {
    ...parts,
    copies: createHomePlans(parts, homeThings),
    acts: homeThings.acts,
    signing: createPlanSigning(parts),
    idempotency: host.idempotency(),
  };
  await host.serveRpcs(PlansService, import.meta.url, context);
  host.consume(onApprovalSettled(context));
  host.consume(
    keepsPeople('people-of-plans', {
      ...context,
      table: planTable,
      newcomer: newPlanner,
      kept: (plan) => askAgain(context, plan),
    }),
  );
  host.consume(endsOfGroups('groups-of-plans', context, planTable));
  host.whenDue('advance-plans', second, nextDueOf('decisions.plans'), () =>
    eachDue(context, 'decisions.plans', (id) => advanceNow(context, id)),
  );
  host.whenDue('sign-plans', 5 * second, context.signing.nextDue, () => context.signing.due());
  host.whenDue('ask-plans', 5 * second, askDue, () => askUnasked(context));
  return {
    findTold: async (reference, caller) =>
      (await findToldElsewhere(context, reference, caller)) ??
      (await course.findVisible(context, reference, caller, true)).row,
  };
}
