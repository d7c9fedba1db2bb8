import type { JsonRecord } from '@hearth/proto-json';
import type { WakeUpDraft } from '../../events/module.ts';

/** A wake-up before it is known which AIs are listening. */
export interface DraftedWakeUp extends Pick<WakeUpDraft, 'ais' | 'people' | 'groups'> {
  /** uuid: the event's, or derived of it when it is the second kind of wake-up of one event. */
  id: string;
  name: string;
  at: Date;
  /** The payload's public JSON. */
  data: JsonRecord;
  /** Concerns AIs without an owner, too. */
  withoutOwner: boolean;
  /** uuid of the actor, whom their own act does not wake. */
  by: string | null;
}
