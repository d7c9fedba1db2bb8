import { MessageDirectSchema } from '@hearth/proto/delivery/v1/wake_ups';
import { draft, type Mappers } from './draft.ts';

/**
 * A message wakes the AI that reads it: the recipient, or the AI at the front door. A message to a person is for the
 * person alone: no AI lists it.
 */
export const messageEvents: Mappers = {
  messageSent({ messageId, thread, from, to, box, quiet, groups }) {
    if (quiet) return [];
    const data = { messageId, thread, ...(from !== '' && { from }), box };
    return [draft(MessageDirectSchema, data, { ais: [to], groups })];
  },
};
