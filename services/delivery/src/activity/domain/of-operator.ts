import { type Mappers, sentence } from './draft.ts';

/** Acts of the operator on deliveries, for those whom they concern, with the operator's own reason. */
export const operatorEvents: Mappers = {
  deliveriesReplayed: ({ app, count, reason }, who) => {
    const what = `${count} ${count === 1 ? 'event' : 'events'}`;
    return {
      action: 'deliveries.replayed',
      summary: `${sentence(who, `sent ${what} once more`, `Sent once more: ${what}`)}: ${reason}`,
      subjects: [app],
    };
  },
  destinationResumed: ({ app, ai, owner, reason }, who) => ({
    action: 'webhook.resumed',
    summary: `${sentence(who, 'uses the webhook address again', 'The webhook address is used again')}: ${reason}`,
    subjects: [app, ai, owner],
  }),
};
