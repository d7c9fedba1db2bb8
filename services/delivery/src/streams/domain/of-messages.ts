import { MessageDirectSchema } from '@hearth/proto/delivery/v1/wake_ups';
import { draft, type Mappers } from './draft.ts';

/**
 * A message wakes the AI that reads it: to whom it went, or who stands at the front door. What went to a person is for the
 * person alone: no AI lists it.
 */
export const messageEvents: Mappers = {
  messageSent({ messageId, thread, from, to, box, quiet, groups }) {
    if (quiet) return [];
    const data = { messageId, thread, ...(from !== '' && { from }), box };
    return [draft(MessageDirectSchema, data, { ais: [to], groups })];
  },
};
