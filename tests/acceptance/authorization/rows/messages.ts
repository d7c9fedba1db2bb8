import type { Row } from './row.ts';

/** Messages and their threads. */
export const messagesRows: readonly Row[] = [
  {
    operation: 'get_message',
    act: (client, id) => client.get(`/v0/messages/${id}`),
    targets: ['message', 'othersMessage', 'noMessage'],
    expected: { adasAi: 'ANN', fellow: 'NNN', stranger: 'NNN', child: 'NNN', ownerless: 'NNN' },
  },
  {
    // Local messages have no envelope; only the sender and the recipient are told so.
    operation: 'get_envelope',
    act: (client, id) => client.get(`/v0/messages/${id}/signed`),
    targets: ['message', 'othersMessage', 'noMessage'],
    expected: { fellow: 'NNN', stranger: 'NNN', child: 'NNN', ownerless: 'NNN' },
  },
  {
    operation: 'get_thread',
    act: (client, id) => client.get(`/v0/threads/${id}`),
    targets: ['thread', 'othersThread', 'noThread'],
    expected: { adasAi: 'ANN', fellow: 'NNN', stranger: 'NNN', child: 'NNN', ownerless: 'NNN' },
  },
  {
    operation: 'delete_message',
    act: (client, id) => client.delete(`/v0/messages/${id}`),
    targets: ['message', 'othersMessage', 'noMessage'],
    expected: { fellow: 'NNN', stranger: 'NNN', child: 'NNN', ownerless: 'NNN' },
  },
];
