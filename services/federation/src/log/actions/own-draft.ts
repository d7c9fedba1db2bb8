import type { HomeActResult } from '@hearth/proto/federation/v1/items';
import type { JsonObject } from '@hearth/signing';
import { actEvent } from '../domain/act-event.ts';
import { type Draft, longestMs } from './item.ts';

const prefixes = { notice: 'ntc', result: 'res', skip: 'skip' } as const;

/** Drafts an item of the log itself, without service and author. @param event uuid of its cause */
export function ownDraft(type: keyof typeof prefixes, event: string, body: JsonObject, at: Date): Draft {
  return {
    ...{ event, id: `${prefixes[type]}_${event.replaceAll('-', '')}`, rev: 1, type, service: '' },
    ...{ to: [], from: '', sender: null, body },
    issuedAt: at,
    expiresAt: new Date(at.getTime() + longestMs),
  };
}

/** Drafts the result of an act, for the home that sent the act. */
export function resultDraft(
  act: string,
  { status, answerJson, errorJson }: Pick<HomeActResult, 'status' | 'answerJson' | 'errorJson'>,
  at: Date,
): Draft {
  const body: JsonObject = {
    act,
    status,
    ...(answerJson !== '' && { answer: JSON.parse(answerJson) as JsonObject }),
    ...(errorJson !== '' && { error: JSON.parse(errorJson) as JsonObject }),
  };
  return ownDraft('result', actEvent(act), body, at);
}
