import type { Row } from './row.ts';

/** By which somebody under 18, their AI, and nobody is called. */
const hiddenAddresses = ['childsAddress', 'childsAi', 'nobodysAddress', 'nobodysAi'] as const;
const hiddenToAll = { stranger: 'NNNN', ownerless: 'NNNN' };

/** What waits for somebody, and whom they keep away. */
export const requestsRows: readonly Row[] = [
  {
    operation: 'accept_request',
    // An ask takes no note here: who may is told so.
    act: (client, id) => client.post(`/v0/requests/${id}/accept`, { note: 'yes' }),
    targets: ['request', 'adasAsk', 'strangersAsk', 'noAsk', 'noMessage', 'noInvite'],
    expected: {
      ada: 'ANNNNN',
      adasAi: 'ANNNNN',
      fellow: 'NNNNNN',
      stranger: 'NNNNNN',
      child: 'NNNNNN',
      // Without the permission approve.
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
    // What is not blocked is not blocked, whatever there is.
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
      // Held by the app that holds the child.
      fellow: 'AANNAANNNAN',
    },
  },
  {
    operation: 'resolve_report',
    act: (client, id) => client.post(`/v0/admin/reports/${id}/resolve`, { resolution: 'nothing there' }),
    targets: ['report', 'noReport'],
    // Whoever reported too.
    expected: { ada: 'FF', adasAi: 'FF', stranger: 'FF', app: 'FF', nobody: 'FF' },
  },
];
