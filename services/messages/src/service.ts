import { createHomeThings } from '@hearth/home-acts';
import type { ServiceDefinition } from '@hearth/runtime';
import { startCommons } from './commons/module.ts';
import { startGroupPosts } from './group-posts/module.ts';
import { startHomeMessages } from './home-messages/module.ts';
import { startMessages } from './messages/module.ts';
import { startRequestMessages } from './request-messages/module.ts';

export const messages: ServiceDefinition = {
  name: 'messages',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const { receiveMessage, sendMessage } = await startMessages(host);
    const things = createHomeThings(host, 'messages', { takesOthers: true });
    await startGroupPosts(host, things);
    await startRequestMessages(host);
    await startHomeMessages(host, things, receiveMessage);
    await startCommons(host, sendMessage);
  },
};
