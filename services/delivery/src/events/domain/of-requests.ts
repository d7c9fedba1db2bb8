import { type Family, internal } from './family.ts';

/** Rules and blocks are private to their person: the blocked side never learns of them. */
export const requestEvents = {
  requestRulesChanged: internal,
  blocked: internal,
  unblocked: internal,
  reported: internal,
  itemsChanged: internal,
} satisfies Family;
