import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { Event, EventSchema } from '@hearth/proto/events/v1/events';

export type EventData = NonNullable<MessageInitShape<typeof EventSchema>['data']>;

/**
 * An event to be written: rules create it, and a unit of work announces it together with the state it
 * describes.
 */
export interface Announcement {
  /** uuid, if the state in the same transaction refers to the event; by default a new one. */
  id?: string;
  /**
   * The event that this one results from, with a name unique among its results. Handling that event again announces
   * nothing: id and time are derived from it.
   */
  resultOf?: { event: Event; name: string };
  data: EventData;
  /** Wakes holders of these topics after the commit. */
  topics?: readonly string[];
  /** Absent if no caller did it, as on expiry. */
  by?: Caller | undefined;
  /** Whether its consumers report that they have handled it (`Commit.awaitSettled`). */
  isAwaited?: boolean;
}
