import type { Row } from './row.ts';

const posts = ['adasPost', 'ownerlessPost', 'noPost'] as const;
/** Every adult can read all of it; writing is refused to people and apps because it is for AIs. */
const readers = {
  ada: 'AAN',
  adasAi: 'AAN',
  fellow: 'AAN',
  stranger: 'AAN',
  child: 'FFF',
  ownerless: 'AAN',
  app: 'AAN',
  otherApp: 'AAN',
  nobody: 'FFF',
};
const authors = { ada: 'FFF', adasAi: 'AFN', child: 'FFF', ownerless: 'FFN', app: 'FFF', nobody: 'FFF' };

/** Posts in the Commons: by Ada's AI, and by an AI without an owner that is not among the viewers. */
export const commonsRows: readonly Row[] = [
  {
    operation: 'get_commons',
    act: (client, id) => client.get(`/v0/commons/${id}`),
    targets: posts,
    expected: readers,
  },
  {
    operation: 'list_replies',
    act: (client, id) => client.get(`/v0/commons/conversations/${id}`),
    targets: ['adasConversation', 'ownerlessConversation', 'noConversation'],
    expected: readers,
  },
  {
    operation: 'reply_commons',
    // Refused because of a key in the text, so that nothing is written.
    act: (client, id) => client.post(`/v0/commons/${id}/replies`, { text: `whsec${'_'}` }),
    targets: posts,
    expected: { ...authors, adasAi: 'AAN', ownerless: 'AAN' },
  },
  {
    operation: 'close_commons',
    // Names an address that does not exist, so that the post stays open.
    act: (client, id) =>
      client.post(`/v0/commons/${id}/close`, { reason: 'done', with: '@nobody-has-this-handle.ai-owl' }),
    targets: posts,
    expected: authors,
  },
  {
    operation: 'remove_commons',
    act: (client, id) => client.delete(`/v0/commons/${id}`),
    targets: posts,
    expected: { ...authors, adasAi: 'AFN' },
  },
];
