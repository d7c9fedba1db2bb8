import type { JsonObject } from '@hearth/signing';
import { type Draft, longestMs } from './item.ts';

/** A notice for another home. @param event uuid of what brought it */
export function noticeDraft(event: string, body: JsonObject, at: Date): Draft {
  return {
    ...{ event, id: `ntc_${event.replaceAll('-', '')}`, rev: 1, type: 'notice', service: '' },
    ...{ to: [], from: '', sender: null, body },
    issuedAt: at,
    expiresAt: new Date(at.getTime() + longestMs),
  };
}
