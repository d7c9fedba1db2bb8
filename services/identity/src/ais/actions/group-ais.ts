import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { internal } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { Event } from '@hearth/proto/events/v1/events';
import type { Heard } from '@hearth/runtime';
import type { Context } from '../../directory/context.ts';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { takeAddress } from '../../shared/db/addresses.ts';
import { updateProfile } from '../../shared/db/ai-changes.ts';
import { insertAi, lockGroupAi } from '../../shared/db/ais.ts';
import { aiChanged } from '../../shared/domain/ai-events.ts';
import { groupAiPermissions } from '../../shared/domain/permissions.ts';
import { groupAiAddress } from '../domain/ai-address.ts';
import { newAi } from './own-ai.ts';
import { revokeLocked } from './part-with-ais.ts';

/** uuids, but for handle and name. */
export interface GroupOfAi {
  ai: string;
  group: string;
  handle: string;
  name: string;
  /** Empty when no app made the group. */
  app: string;
}

type Tools = Pick<Context, 'bus' | 'clock' | 'database' | 'outbox'>;

/** The address of the AI that runs a group, which is made when it is not there. */
export async function ensureGroupAi({ clock, database }: Tools, group: GroupOfAi): Promise<string> {
  const address = groupAiAddress(group.handle);
  const now = nowDate(clock);
  await database.transaction(async (tx) => {
    // First, so that of several at once one makes it and the others find it.
    if (!(await takeAddress(tx, address, group.ai, now))) {
      throw internal(`the address ${address} leads to somebody else`);
    }
    await insertAi(tx, {
      ...newAi,
      id: group.ai,
      address,
      name: nameOf(group.name),
      platform: 'other',
      owner: null,
      ownerPrivate: false,
      status: 'claimed',
      permissions: [...groupAiPermissions],
      claimHash: null,
      claimedAt: null,
      groupId: group.group,
      groupApp: group.app === '' ? null : group.app,
      createdAt: now,
    });
  });
  return address;
}

const nameOf = (group: string) => `${group} (group AI)`;

/** What happens to groups that their AIs follow. */
export const groupEvents = ['group_created', 'group_updated', 'group_deleted'];

/** Follows what happened to groups; heard again, it changes nothing. */
export async function followGroups(tools: Tools, heard: readonly Heard[]): Promise<void> {
  for (const { event } of heard) await follow(tools, event.data);
}

async function follow(tools: Tools, data: Event['data']): Promise<void> {
  switch (data.case) {
    case 'groupCreated': {
      const { group, groupAi } = data.value;
      if (group === undefined || groupAi === '') return;
      const { id, handle, name, app } = group;
      await ensureGroupAi(tools, { ai: groupAi, group: id, handle, name, app });
      return;
    }
    case 'groupUpdated': {
      const { group, changed } = data.value;
      if (group !== undefined && changed.includes('name')) await rename(tools, group.id, group.name);
      return;
    }
    case 'groupDeleted':
      if (data.value.group !== undefined) await end(tools, data.value.group.id);
      return;
    default:
  }
}

async function rename(tools: Tools, group: string, name: string): Promise<void> {
  await change(tools, group, async (tx, ai) => {
    const renamed = { ...ai, name: nameOf(name) };
    if (renamed.name === ai.name) return null;
    await updateProfile(tx, ai.id, renamed);
    return aiChanged(tools.outbox, renamed, ['name'], undefined);
  });
}

async function end(tools: Tools, group: string): Promise<void> {
  await change(tools, group, async (tx, ai) => {
    const apps = ai.groupApp === null ? [] : [ai.groupApp];
    return (await revokeLocked(tools, tx, ai, { apps, reason: 'its group was deleted' })).row;
  });
}

/** Changes the AI of a group, unless it was switched off. */
async function change(
  { bus, database, outbox }: Tools,
  group: string,
  work: (tx: Tx, ai: NonNullable<Awaited<ReturnType<typeof lockGroupAi>>>) => Promise<OutboxRow | null>,
): Promise<void> {
  const changed = await database.transaction(async (tx) => {
    const ai = await lockGroupAi(tx, group);
    if (ai === null || ai.revokedAt !== null) return null;
    const row = await work(tx, ai);
    if (row !== null) await outbox.announce(tx, [row]);
    return row && { id: ai.id, row };
  });
  if (changed === null) return;
  outbox.committed([changed.row]);
  credentialsChanged(bus, changed.id);
}
