import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Announcement } from '@hearth/outbox';
import { ItemsService } from '@hearth/proto/approvals/v1/items';
import type { ItemsChangedSchema } from '@hearth/proto/events/v1/events';
import { anonymous } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

/** Items that began to wait, and keys of those that wait no longer. */
export type ItemsChange = MessageInitShape<typeof ItemsChangedSchema>;

/** How a source notes what waits for people, beside the event of the same change. */
export interface ItemNotes {
  /**
   * Notes a change after its commit, so that the answer to a caller comes after what they then read. It never fails: the
   * event brings what it could not.
   */
  note(change: ItemsChange): Promise<void>;
}

/** The caller who sends waits for it no longer than that. */
const timeoutMs = 1_000;

export function createItemNotes({ log, peer }: Pick<Host, 'log' | 'peer'>): ItemNotes {
  const items = peer('approvals', ItemsService);
  return {
    async note(change) {
      if (!change.placed?.length && !change.closed?.length) return;
      try {
        await items.noteItems({ change }, { caller: anonymous, timeoutMs });
      } catch (err) {
        log.info({ err }, 'a change of what waits is known by its event alone');
      }
    },
  };
}

/** The event of a change, written with the state of the source. */
export function itemsChanged(change: ItemsChange): Announcement {
  return { data: { case: 'itemsChanged', value: change } };
}
