import { nowDate } from '@hearth/clock';
import { internal } from '@hearth/errors';
import type { Host } from '@hearth/runtime';
import { takeAddress } from '../../shared/db/addresses.ts';
import { insertAi } from '../../shared/db/ais.ts';
import { groupAiPermissions } from '../../shared/domain/permissions.ts';
import { groupAiAddress, groupAiName } from '../domain/ai-address.ts';
import { newAi } from './own-ai.ts';

/** Ids are uuids. */
export interface GroupOfAi {
  ai: string;
  group: string;
  handle: string;
  name: string;
  /** Empty unless an app made the group. */
  app: string;
}

/** Returns the address of the AI that runs a group; creates the AI if it is missing. */
export async function ensureGroupAi(
  { clock, database }: Pick<Host, 'clock' | 'database'>,
  group: GroupOfAi,
): Promise<string> {
  const address = groupAiAddress(group.handle);
  const now = nowDate(clock);
  await database.transaction(async (tx) => {
    // Taken first: of several concurrent calls one creates the AI, and the others find it.
    if (!(await takeAddress(tx, address, group.ai, now))) {
      throw internal(`the address ${address} leads to somebody else`);
    }
    await insertAi(tx, {
      ...newAi,
      id: group.ai,
      address,
      name: groupAiName(group.name),
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
