import type { Row } from './row.ts';

const decisions = ['adasDecision', 'hiddenDecision', 'strangersDecision', 'noDecision'] as const;

/** Decisions: Ada's, one hidden from her fellow, and one of a group that she is not in. */
export const decisionsRows: readonly Row[] = [
  {
    operation: 'get_decision',
    act: (client, id) => client.get(`/v0/decisions/${id}`),
    targets: decisions,
    expected: {
      ada: 'AANN',
      adasAi: 'AANN',
      fellow: 'ANNN',
      stranger: 'NNAN',
      // The child sees it; the guardian answers.
      child: 'AANN',
      ownerless: 'NNNN',
      app: 'AANN',
      otherApp: 'NNAN',
    },
  },
  {
    operation: 'answer_decision',
    // An option that does not exist, so that no answer counts.
    act: (client, id) =>
      client.post(`/v0/decisions/${id}/answers`, { answers: [{ question_id: 9, answer: 'x' }] }),
    targets: decisions,
    expected: { ada: 'AANN', adasAi: 'AANN', fellow: 'ANNN', stranger: 'NNAN', ownerless: 'FFFF' },
  },
  {
    operation: 'approve_decision',
    act: (client, id) => client.post(`/v0/decisions/${id}/approve`, { decision: 'approved', version: 7 }),
    targets: decisions,
    expected: { ada: 'AANN', adasAi: 'AANN', fellow: 'ANNN', stranger: 'NNAN', child: 'FFNN' },
  },
  {
    operation: 'extend_decision',
    act: (client, id) => client.patch(`/v0/decisions/${id}`, { deadline_hours: 48 }),
    targets: decisions,
    expected: { ada: 'AANN', adasAi: 'AANN', fellow: 'FNNN', stranger: 'NNAN', child: 'FFNN' },
  },
  {
    operation: 'cancel_decision',
    act: (client, id) => client.delete(`/v0/decisions/${id}`),
    targets: decisions,
    expected: { fellow: 'FNNN', stranger: 'NNAN', child: 'FFNN', app: 'WWWW' },
  },
];
