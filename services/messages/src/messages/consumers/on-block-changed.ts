import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { noteBlock } from '../db/blocks.ts';

/** Records blocks by AIs without an owner, so that sending to them calls no other service. */
export const onBlockChanged = ({ clock, commit }: Pick<Context, 'clock' | 'commit'>) => ({
  durable: 'blocks',
  types: ['blocked', 'unblocked'],
  async handle(events: ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { at, data } = event;
      if (data.case !== 'blocked' && data.case !== 'unblocked') continue;
      const { person, targetId } = data.value;
      if (targetId === '') continue;
      const blocked = data.case === 'blocked';
      const changedAt = at === undefined ? new Date(clock.now()) : timestampDate(at);
      await commit.statement(async (tx) => {
        tx.signal('message_blocks', person);
        await noteBlock(tx, { owner: person, target: targetId, blocked, at: changedAt });
      });
    }
  },
});
