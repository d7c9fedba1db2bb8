import type { JsonRecord } from '@hearth/proto-json';
import type { WakeUpDraft } from '../../events/module.ts';

/** A wake-up before it is matched with the AIs that listen. */
export interface DraftedWakeUp extends Pick<WakeUpDraft, 'ais' | 'people' | 'groups'> {
  /** uuid: the event's, or derived from it for the event's second kind of wake-up. */
  id: string;
  name: string;
  at: Date;
  /** The payload as public JSON. */
  data: JsonRecord;
  /** Whether it also wakes AIs without an owner. */
  withoutOwner: boolean;
  /** uuid of the actor, who is not woken by their own act. */
  by: string | null;
}
