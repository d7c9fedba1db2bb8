import type { Row } from './row.ts';

/** Addresses of a person under 18, of their AI, and of no one. */
const hiddenAddresses = ['childsAddress', 'childsAi', 'nobodysAddress', 'nobodysAi'] as const;
const hiddenToAll = { stranger: 'NNNN', ownerless: 'NNNN' };

/** A person's pending requests, and the blocks that a person has set. */
export const requestsRows: readonly Row[] = [
  {
    operation: 'accept_request',
    // An ask cannot be accepted with a note; a caller who may accept is told so.
    act: (client, id) => client.post(`/v0/requests/${id}/accept`, { note: 'yes' }),
    targets: ['request', 'adasAsk', 'strangersAsk', 'noAsk', 'noMessage', 'noInvite'],
    expected: {
      ada: 'ANNNNN',
      adasAi: 'ANNNNN',
      fellow: 'NNNNNN',
      stranger: 'NNNNNN',
      child: 'NNNNNN',
      // Lacks the permission approve.
      ownerless: 'FFFFFF',
    },
  },
  {
    operation: 'decline_request',
    act: (client, id) => client.post(`/v0/requests/${id}/decline`),
    targets: ['request', 'adasAsk', 'othersMessage', 'adasInvite', 'noAsk'],
    expected: { fellow: 'NNNNN', stranger: 'NNNNN', child: 'NNNNN', ownerless: 'FFFFF' },
  },
  {
    operation: 'block',
    act: (client, address) => client.put(`/v0/blocks/${address}`),
    targets: hiddenAddresses,
    expected: hiddenToAll,
  },
  {
    operation: 'unblock',
    // The answer does not reveal whether the address exists.
    act: (client, address) => client.delete(`/v0/blocks/${address}`),
    targets: hiddenAddresses,
    expected: { stranger: 'AAAA', ownerless: 'AAAA', fellow: 'AAAA' },
  },
  {
    operation: 'report',
    act: (client, about) => client.post('/v0/reports', { about, reason: 'spam' }),
    targets: [
      ...hiddenAddresses,
      'adasAsk',
      'childsAsk',
      'noAsk',
      'message',
      'noMessage',
      'child',
      'noPerson',
    ],
    expected: {
      stranger: `${hiddenToAll.stranger}NNNNNNN`,
      ownerless: `${hiddenToAll.ownerless}NNNNNNN`,
      // Held by the app that also holds the child.
      fellow: 'AANNAANNNAN',
    },
  },
  {
    operation: 'resolve_report',
    act: (client, id) => client.post(`/v0/admin/reports/${id}/resolve`, { resolution: 'nothing there' }),
    targets: ['report', 'noReport'],
    // Includes the person who reported.
    expected: { ada: 'FF', adasAi: 'FF', stranger: 'FF', app: 'FF', nobody: 'FF' },
  },
  {
    operation: 'get_feedback',
    act: (client, id) => client.get(`/v0/feedback/${id}`),
    targets: ['feedback', 'noFeedback'],
    expected: {
      ada: 'AN',
      // Neither her AI's, nor the app's that holds her when it does not act for her.
      adasAi: 'NN',
      fellow: 'NN',
      stranger: 'NN',
      child: 'NN',
      ownerless: 'NN',
      app: 'NN',
      nobody: 'FF',
    },
  },
  {
    operation: 'answer_feedback',
    act: (client, id) => client.post(`/v0/admin/feedback/${id}/answer`, { answer: 'thanks' }),
    targets: ['feedback', 'noFeedback'],
    expected: { ada: 'FF', adasAi: 'FF', stranger: 'FF', app: 'FF', nobody: 'FF' },
  },
];
