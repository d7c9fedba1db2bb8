import type { ServiceDefinition } from '@hearth/runtime';
import { startGroupPosts } from './group-posts/module.ts';
import { startMessages } from './messages/module.ts';
import { startRequestMessages } from './request-messages/module.ts';

export const messages: ServiceDefinition = {
  name: 'messages',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    await startMessages(host);
    await startGroupPosts(host);
    await startRequestMessages(host);
  },
};
