import { listed as allOf, t } from '@hearth/i18n';
import { type IdPrefix, printId } from '@hearth/ids';
import { type Family, internal, listed } from './family.ts';
import { byActor, withReason } from './words.ts';

/**
 * Acts of the operator; all are in the audit log. Acts on deliveries are also in the lists of the parties
 * concerned, with the operator's reason.
 */
export const operatorEvents = {
  deliveriesReplayed: {
    activity: ({ app, ai, owner, count, reason }, by) => {
      const what = ai === '' ? 'event' : 'other';
      return {
        action: 'deliveries.replayed',
        summary: withReason(t('events.deliveries.replayed', { ...byActor(by), what, count }), reason),
        subjects: [app, ai, owner],
      };
    },
    ...listed,
    audit: ({ app, count, reason }) => ({
      action: 'deliveries.replayed',
      about: idOf('app', app),
      summary: t('events.audit.deliveries.replayed', { what: app === '' ? 'other' : 'event', count }),
      reason,
    }),
  },
  destinationResumed: {
    activity: ({ app, subscription, ai, owner, reason }, by) => {
      const what = app === '' && subscription === '' ? 'callbacks' : 'other';
      return {
        action: 'webhook.resumed',
        summary: withReason(t('events.webhook.resumed', { ...byActor(by), what }), reason),
        subjects: [app, ai, owner],
      };
    },
    ...listed,
    audit: ({ app, subscription, reason }) => ({
      action: 'webhook.resumed',
      about: idOf('app', app) || idOf('sub', subscription),
      summary: t('events.audit.webhook.resumed'),
      reason,
    }),
  },
  feedbackAnswered: {
    activity: ({ status, sender, person }, by) => {
      const word = status === 'done' ? 'done' : 'read';
      return {
        action: `feedback.${word}`,
        summary: t(`events.feedback.${word}`, byActor(by)),
        subjects: [sender, person],
      };
    },
    ...listed,
    audit({ feedback, status, answer }) {
      const word = status === 'done' ? 'done' : 'read';
      const summary = t(`events.audit.feedback.${word}`);
      return { action: `feedback.${word}`, about: feedback, summary, reason: answer };
    },
  },
  homeKeyChanged: {
    ...internal,
    // Automatic changes too, such as a next key that becomes active.
    audit: ({ kid, uses, status, reason }) => ({
      action: `key.${status}`,
      about: kid,
      summary: t('events.audit.key', {
        uses: allOf(uses),
        status,
        state: keyStates.find((known) => known === status) ?? 'other',
      }),
      reason,
    }),
  },
  reportResolved: {
    ...internal,
    audit: ({ report, resolution }) => ({
      action: 'report.resolved',
      about: report,
      summary: t('events.audit.report.resolved'),
      reason: resolution,
    }),
  },
} satisfies Family;

const keyStates = ['next', 'active', 'recovered', 'reseal'] as const;

const idOf = (prefix: IdPrefix, uuid: string) => (uuid === '' ? '' : printId(prefix, uuid));
