import type { HomeActResult } from '@hearth/proto/federation/v1/items';
import type { JsonObject } from '@hearth/signing';
import { type Draft, longestMs } from './item.ts';

/** The result of an act, for the home that it came from. @param event uuid, of that act and for ever the same */
export function resultDraft(
  act: string,
  { status, answerJson, errorJson }: Pick<HomeActResult, 'status' | 'answerJson' | 'errorJson'>,
  { event, now }: { event: string; now: Date },
): Draft {
  const body: JsonObject = {
    act,
    status,
    ...(answerJson !== '' && { answer: JSON.parse(answerJson) as JsonObject }),
    ...(errorJson !== '' && { error: JSON.parse(errorJson) as JsonObject }),
  };
  return {
    ...{ event, id: `res_${event.replaceAll('-', '')}`, rev: 1, type: 'result', service: '' },
    ...{
      to: [],
      from: '',
      sender: null,
      body,
      issuedAt: now,
      expiresAt: new Date(now.getTime() + longestMs),
    },
  };
}
