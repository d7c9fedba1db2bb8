import type { Context } from '../pages/module.ts';
import { addAskPages } from './ask-pages.ts';
import { addBlockedPage } from './blocked-page.ts';
import { addMailPages } from './mail-pages.ts';
import { addMessagePages } from './message-pages.ts';
import { addReceiptPages } from './receipt-pages.ts';
import { addRequestPages as addBoxPages } from './request-pages.ts';
import { addRulePages } from './rule-pages.ts';

/** The pages for waiting requests, messages, contact rules and receipts. */
export function addRequestPages(context: Context): void {
  // Before the pages of requests, because its path also matches theirs.
  addBlockedPage(context);
  addBoxPages(context);
  addMessagePages(context);
  addAskPages(context);
  addRulePages(context);
  addReceiptPages(context);
  addMailPages(context);
}
