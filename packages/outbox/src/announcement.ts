import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { EventSchema } from '@hearth/proto/events/v1/events';

export type EventData = NonNullable<MessageInitShape<typeof EventSchema>['data']>;

/** An event before it is written: rules make it, and a unit of work announces it with the state that it speaks of. */
export interface Announcement {
  /** uuid, where the state of the same transaction names the event; a new one by default. */
  id?: string;
  data: EventData;
  /** The holders of these topics look again once it is committed. */
  topics?: readonly string[];
  /** The caller that did it; absent when it happened by itself. */
  by?: Caller | undefined;
  /** Its consumers tell when they have handled it (`Commit.awaitSettled`). */
  isAwaited?: boolean;
}
