import { t } from '@hearth/i18n';
import { type Family, internal } from './family.ts';

export const homeEvents = {
  itemForHomes: internal,
  homeItemSettled: internal,
  partiesBeganAnew: internal,
  partyGone: internal,
  homeStateDue: internal,
  otherHomeChanged: {
    ...internal,
    // Automatic changes too: the operator must know of them.
    audit: ({ home, change, kids, reason }) => ({
      action: `home.${change}`,
      about: home,
      summary: t('events.audit.home', {
        home,
        change: changes.find((known) => known === change) ?? 'other',
        count: kids.length,
      }),
      reason,
    }),
  },
} satisfies Family;

const changes = ['unset', 'open', 'limited', 'blocked', 'key_change', 'keys_revoked', 'began_anew'] as const;
