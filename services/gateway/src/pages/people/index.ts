import { addAiPages } from './ai-pages.ts';
import { addClaimPages } from './claim-pages.ts';
import type { PeopleContext } from './context.ts';
import { addInvitePages } from './invite-pages.ts';

export { type Birth, birthOf } from './birth.ts';
export { type Peers, type PeopleContext, peersOfPages } from './context.ts';

/** The pages on which people claim AIs, look after them, and open invitations. */
export function addPeoplesPages(context: PeopleContext): void {
  addClaimPages(context);
  addAiPages(context);
  addInvitePages(context);
}
