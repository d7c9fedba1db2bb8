import { type Family, internal, listed } from './family.ts';
import { sentence } from './words.ts';

/** Acts of the operator. Those on deliveries are for whom they concern, with the operator's own reason. */
export const operatorEvents = {
  deliveriesReplayed: {
    activity: ({ app, count, reason }, { who }) => {
      const what = `${count} ${count === 1 ? 'event' : 'events'}`;
      return {
        action: 'deliveries.replayed',
        summary: `${sentence(who, `sent ${what} once more`, `Sent once more: ${what}`)}: ${reason}`,
        subjects: [app],
      };
    },
    ...listed,
  },
  destinationResumed: {
    activity: ({ app, ai, owner, reason }, { who }) => ({
      action: 'webhook.resumed',
      summary: `${sentence(who, 'uses the webhook address again', 'The webhook address is used again')}: ${reason}`,
      subjects: [app, ai, owner],
    }),
    ...listed,
  },
  homeKeyChanged: internal,
  reportResolved: internal,
} satisfies Family;
