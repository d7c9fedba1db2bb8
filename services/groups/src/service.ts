import { createHomeThings } from '@hearth/home-acts';
import type { ServiceDefinition } from '@hearth/runtime';
import { startGroups } from './groups/module.ts';
import { joinRequests, startInvites } from './invites/module.ts';

/** Groups, their members and invites. */
export const groups: ServiceDefinition = {
  name: 'groups',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const things = createHomeThings(host, 'groups');
    const copies = await startGroups(host, things, joinRequests(host));
    await startInvites(host, things, copies);
  },
};
