import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { UnitOfWork } from '@hearth/outbox';
import type { Event, GroupSnapshot } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { takeGroupName, updateProfile } from '../../shared/db/ai-changes.ts';
import { type AiRow, lockGroupAi } from '../../shared/db/ais.ts';
import { aiChanged } from '../../shared/domain/ai-events.ts';
import { ensureGroupAi } from '../actions/group-ais.ts';
import { revokeLocked } from '../actions/part-with-ais.ts';
import type { Context } from '../context.ts';
import { groupAiName } from '../domain/ai-address.ts';

export const groupEvents = ['group_created', 'group_updated', 'group_deleted'];

/**
 * Creates, renames and ends a group's AI with the group. Idempotent: redelivered or late events change
 * nothing.
 */
export async function followGroups(context: Context, events: readonly ReceivedEvent[]): Promise<void> {
  for (const { event } of events) await follow(context, event);
}

async function follow(context: Context, { at, data }: Event): Promise<void> {
  switch (data.case) {
    case 'groupCreated': {
      const { group, groupAi } = data.value;
      if (group === undefined || groupAi === '') return;
      const { id, handle, name, app } = group;
      await ensureGroupAi(context, { ai: groupAi, group: id, handle, name, app });
      return;
    }
    case 'groupUpdated': {
      const { group, changed } = data.value;
      if (group !== undefined && at !== undefined && changed.includes('name'))
        await rename(context, group, timestampDate(at));
      return;
    }
    case 'groupDeleted':
      if (data.value.group !== undefined) await end(context, data.value.group.id);
      return;
    default:
  }
}

async function rename(context: Context, { id, name }: GroupSnapshot, at: Date): Promise<void> {
  await change(context, id, async (tx, ai) => {
    const renamed = { ...ai, name: groupAiName(name) };
    if (!(await takeGroupName(tx, ai.id, at)) || renamed.name === ai.name) return;
    await updateProfile(tx, ai.id, renamed);
    tx.announce(aiChanged(renamed, ['name'], undefined));
    tx.signal('credentials', ai.id);
  });
}

async function end(context: Context, group: string): Promise<void> {
  await change(context, group, async (tx, ai) => {
    const apps = ai.groupApp === null ? [] : [ai.groupApp];
    await revokeLocked(context, tx, ai, { apps, reason: 'its group was deleted' });
  });
}

/** Changes a group's AI, unless it was switched off. */
async function change(
  { commit }: Context,
  group: string,
  work: (tx: UnitOfWork, ai: AiRow) => Promise<void>,
): Promise<void> {
  await commit(async (tx) => {
    const ai = await lockGroupAi(tx, group);
    if (ai !== null && ai.revokedAt === null) await work(tx, ai);
  });
}
