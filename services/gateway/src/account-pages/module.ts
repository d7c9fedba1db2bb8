import type { Context } from '../pages/module.ts';
import { addAccountPages as addOwnAccountPages } from './account-pages.ts';
import { addAiPages } from './ai-pages.ts';
import { addChildPages } from './child-pages.ts';
import { addClaimPages } from './claim-pages.ts';
import { addDeletionPages } from './deletion-pages.ts';
import { addFamilyPages } from './family-pages.ts';
import { addGroupCoursePages } from './group-course-pages.ts';
import { addGroupInvitePages } from './group-invite-pages.ts';
import { addGroupOrganizerPages } from './group-organizer-pages.ts';
import { addGroupPages } from './group-pages.ts';
import { addInvitePages } from './invite-pages.ts';
import { addOwnSignInPages } from './own-sign-in-pages.ts';
import { addSessionPages } from './session-pages.ts';

/** The pages for claiming and managing AIs, for accounts, groups, children and invites. */
export function addAccountPages(context: Context): void {
  addClaimPages(context);
  addAiPages(context);
  addInvitePages(context);
  addGroupPages(context);
  addGroupCoursePages(context);
  addGroupOrganizerPages(context);
  addGroupInvitePages(context);
  addOwnAccountPages(context);
  addOwnSignInPages(context);
  addSessionPages(context);
  addDeletionPages(context);
  addFamilyPages(context);
  addChildPages(context);
}
