import type { ServiceDefinition } from '@hearth/runtime';

/** Who belongs to what: groups, members, invites. */
export const groups: ServiceDefinition = {
  name: 'groups',
  migrations: new URL('../migrations/', import.meta.url),
  async start(_host) {},
};
