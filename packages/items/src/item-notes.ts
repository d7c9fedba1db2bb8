import type { MessageInitShape } from '@bufbuild/protobuf';
import { createCoalescer } from '@hearth/coalesce';
import type { Announcement } from '@hearth/outbox';
import { ItemsService } from '@hearth/proto/approvals/v1/items';
import type { ItemSchema, ItemsChangedSchema } from '@hearth/proto/events/v1/events';
import { anonymous } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

/** Items that began to wait, and keys of those that wait no longer. */
export type ItemsChange = MessageInitShape<typeof ItemsChangedSchema>;

export type Item = MessageInitShape<typeof ItemSchema>;

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
  const notes = createCoalescer<ItemsChange, undefined>({
    name: 'batch of notes of items',
    async run(changes) {
      const placed = changes.flatMap((change) => change.placed ?? []);
      const closed = changes.flatMap((change) => change.closed ?? []);
      await items.noteItems({ change: { placed, closed } }, { caller: anonymous, timeoutMs });
      return changes.map(() => undefined);
    },
  });
  return {
    async note(change) {
      if (!change.placed?.length && !change.closed?.length) return;
      await notes.add(change).catch((err: unknown) => {
        log.info({ err }, 'a change of what waits is known by its event alone');
      });
    },
  };
}

/** The event of a change, written with the state of the source. */
export function itemsChanged(change: ItemsChange): Announcement {
  return { data: { case: 'itemsChanged', value: change } };
}
