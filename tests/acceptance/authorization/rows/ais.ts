import type { Row } from './row.ts';

const ais = ['adasAi', 'fellowsAi', 'strangersAi', 'noAi'] as const;

/** AIs. */
export const aisRows: readonly Row[] = [
  {
    operation: 'get_ai',
    act: (client, id) => client.get(`/v0/ais/${id}`),
    targets: ais,
    expected: {
      ada: 'AAAN',
      adasAi: 'AAAN',
      fellow: 'AAAN',
      stranger: 'AAAN',
      ownerless: 'AAAN',
      app: 'AAAN',
      otherApp: 'AAAN',
    },
  },
  {
    operation: 'update_ai',
    act: (client, id) => client.patch(`/v0/ais/${id}`, { owner_private: false }),
    targets: ais,
    expected: { ada: 'ANNN', fellow: 'NANN', stranger: 'NNAN', child: 'NNNN', app: 'AANN', otherApp: 'NNAN' },
  },
  {
    operation: 'rotate_ai_key',
    act: (client, id) => client.post(`/v0/ais/${id}/keys`, { keep_old_minutes: 60 }),
    targets: ais,
    expected: { ada: 'ANNN', ownerless: 'NNNN', stranger: 'NNAN', child: 'NNNN', otherApp: 'NNAN' },
  },
  {
    operation: 'revoke_ai',
    act: (client, id) => client.delete(`/v0/ais/${id}`),
    targets: ais,
    expected: { child: 'NNNN', ownerless: 'NNNN' },
  },
  {
    operation: 'suspend_ai',
    act: (client, id) =>
      client.post(`/v0/admin/ais/${id}/suspend`, { until: '2000-01-01T00:00:00Z', reason: 'spam' }),
    targets: ['adasAi', 'noAi'],
    expected: { ada: 'FF', adasAi: 'FF', stranger: 'FF', app: 'FF', nobody: 'FF' },
  },
  {
    operation: 'restore_ai',
    act: (client, id) => client.post(`/v0/admin/ais/${id}/restore`, { reason: 'a mistake' }),
    targets: ['adasAi', 'noAi'],
    expected: { ada: 'FF', adasAi: 'FF', stranger: 'FF', app: 'FF', nobody: 'FF' },
  },
];
