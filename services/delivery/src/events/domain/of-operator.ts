import { type IdPrefix, printId } from '@hearth/ids';
import { type Family, internal, listed } from './family.ts';
import { inOneList, sentence } from './words.ts';

/** Acts of the operator, all of which stand in the audit log. Those on deliveries are for whom they concern, with the operator's own reason. */
export const operatorEvents = {
  deliveriesReplayed: {
    activity: ({ app, ai, owner, count, reason }, { who }) => {
      const what = `${count} ${ai === '' ? 'event' : 'callback'}${count === 1 ? '' : 's'}`;
      return {
        action: 'deliveries.replayed',
        summary: `${sentence(who, `sent ${what} once more`, `Sent once more: ${what}`)}: ${reason}`,
        subjects: [app, ai, owner],
      };
    },
    ...listed,
    audit: ({ app, count, reason }) => ({
      action: 'deliveries.replayed',
      about: idOf('app', app),
      summary: `${count} ${app === '' ? (count === 1 ? 'send' : 'sends') : count === 1 ? 'event' : 'events'} went out once more`,
      reason,
    }),
  },
  destinationResumed: {
    activity: ({ app, subscription, ai, owner, reason }, { who }) => ({
      action: 'webhook.resumed',
      summary: `${
        app === '' && subscription === ''
          ? sentence(who, 'sends now the callbacks that waited', 'Callbacks that waited are sent now')
          : sentence(who, 'uses the webhook address again', 'The webhook address is used again')
      }: ${reason}`,
      subjects: [app, ai, owner],
    }),
    ...listed,
    audit: ({ app, subscription, reason }) => ({
      action: 'webhook.resumed',
      about: idOf('app', app) || idOf('sub', subscription),
      summary: 'An address is used again',
      reason,
    }),
  },
  feedbackAnswered: {
    activity: ({ status, sender, person }, { who }) => ({
      action: status === 'done' ? 'feedback.done' : 'feedback.read',
      summary:
        status === 'done'
          ? sentence(who, 'answered feedback', 'Feedback was answered')
          : sentence(who, 'read feedback', 'Feedback was read'),
      subjects: [sender, person],
    }),
    ...listed,
    audit: ({ feedback, status, answer }) => ({
      action: status === 'done' ? 'feedback.done' : 'feedback.read',
      about: feedback,
      summary: status === 'done' ? 'Feedback was answered' : 'Feedback was read',
      reason: answer,
    }),
  },
  homeKeyChanged: {
    ...internal,
    // Also when it happened by itself: a next key that begins to sign.
    audit: ({ kid, uses, status, reason }) => ({
      action: `key.${status}`,
      about: kid,
      summary: `The key for ${inOneList(uses)} is ${keyWords[status] ?? status} now`,
      reason,
    }),
  },
  reportResolved: {
    ...internal,
    audit: ({ report, resolution }) => ({
      action: 'report.resolved',
      about: report,
      summary: 'A report was closed',
      reason: resolution,
    }),
  },
} satisfies Family;

const keyWords: Record<string, string> = {
  next: 'listed',
  active: 'in use',
  recovered: 'what signed the document',
  reseal: 'what everything is sealed with',
};

const idOf = (prefix: IdPrefix, uuid: string) => (uuid === '' ? '' : printId(prefix, uuid));
