import type { Event } from '@hearth/proto/events/v1/events';

/** An AI that was claimed, or whose claim was undone, as the event has it. */
export interface HandsEvent {
  /** uuid */
  ai: string;
  /** uuid of the person who claimed it, or who owned it before. */
  person: string;
  claimed: boolean;
}

/** Null for every other event. */
export function handsOf({ data }: Event): HandsEvent | null {
  if (data.case === 'aiUnclaimed' && data.value.ai !== undefined)
    return { ai: data.value.ai.id, person: data.value.owner, claimed: false };
  if (data.case !== 'aiClaimed' || data.value.status !== 'claimed' || data.value.ai === undefined)
    return null;
  return { ai: data.value.ai.id, person: data.value.person, claimed: true };
}
