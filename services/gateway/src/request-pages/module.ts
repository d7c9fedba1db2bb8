import { addAskPages } from './ask-pages.ts';
import { addBlockedPage } from './blocked-page.ts';
import type { ApprovalContext } from './context.ts';
import { addReceiptPages } from './receipt-pages.ts';
import { addRequestPages } from './request-pages.ts';
import { addRulePages } from './rule-pages.ts';

export { type ApprovalContext, type ApprovalPeers, peersOfApprovalPages } from './context.ts';

/** The pages on which people answer what they are asked, say who may reach them, and look at receipts. */
export function addApprovalPages(context: ApprovalContext): void {
  // Before the pages of single requests, whose path would fit it too.
  addBlockedPage(context);
  addRequestPages(context);
  addAskPages(context);
  addRulePages(context);
  addReceiptPages(context);
}
