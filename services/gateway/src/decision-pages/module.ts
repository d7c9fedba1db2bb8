import type { Context } from '../pages/module.ts';
import { addAgreementPages } from './agreement-pages.ts';
import { addDecisionPages as addPagesOfDecisions } from './decision-pages.ts';
import { addMeetingPages } from './meeting-pages.ts';
import { addOfferPages } from './offer-pages.ts';
import { addPlanPages } from './plan-pages.ts';

/** The pages on which people answer, approve and settle decisions, plans, meetings and agreements. */
export function addDecisionPages(context: Context): void {
  addPagesOfDecisions(context);
  addPlanPages(context);
  // Before the offers, because its path also matches theirs.
  addOfferPages(context);
  addMeetingPages(context);
  addAgreementPages(context);
}
