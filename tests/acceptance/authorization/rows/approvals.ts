import type { Row } from './row.ts';

const asks = [
  'adasAsk',
  'strangersAsk',
  'childsAsk',
  'request',
  'settled',
  'childsSettled',
  'noAsk',
] as const;
const records = ['record', 'childsRecord', 'recordWithOthersKey', 'recordWithKey', 'noRecord'] as const;

/** Asks, and the records of their answers. */
export const approvalsRows: readonly Row[] = [
  {
    operation: 'get_approval',
    act: (client, id) => client.get(`/v0/approvals/${id}`),
    targets: asks,
    expected: {
      ada: 'ANAAAAN',
      adasAi: 'ANAAAAN',
      fellow: 'ANANAAN',
      stranger: 'NANNNNN',
      child: 'NNNNNNN',
      ownerless: 'NNNNNNN',
      // Asks made through the app.
      app: 'ANANAAN',
      otherApp: 'NANNNNN',
    },
  },
  {
    operation: 'reply_approval',
    // The digest does not match the ask, so that no answer counts.
    act: (client, id) =>
      client.post(`/v0/approvals/${id}/reply`, {
        decision: 'approved',
        ask_digest: `sha-256:${'A'.repeat(43)}`,
      }),
    targets: asks,
    expected: {
      // Callers cannot answer asks that they made or that others were sent.
      ada: 'FNAAFAN',
      // Matters about a child are answered by a person.
      adasAi: 'FNFAFFN',
      fellow: 'ANFNAFN',
      stranger: 'NFNNNNN',
      child: 'NNNNNNN',
      ownerless: 'NNNNNNN',
    },
  },
  {
    operation: 'cancel_approval',
    act: (client, id) => client.delete(`/v0/approvals/${id}`),
    targets: ['strangersAsk', 'request', 'settled', 'noAsk'],
    expected: { ada: 'NFAN', fellow: 'NNFN', child: 'NNNN', ownerless: 'NNNN', app: 'WWWW' },
  },
  {
    operation: 'remind_approval',
    act: (client, id) => client.post(`/v0/approvals/${id}/remind`),
    targets: ['strangersAsk', 'request', 'settled', 'noAsk'],
    expected: { ada: 'NFAN', fellow: 'NNFN', child: 'NNNN', ownerless: 'NNNN', app: 'WWWW' },
  },
  {
    operation: 'pass_request',
    // None of these came to a front door.
    act: (client, id) => client.post(`/v0/approvals/${id}/pass`, { to: 'person' }),
    targets: asks,
    expected: {
      ada: 'FNFFFFN',
      adasAi: 'FNFFFFN',
      fellow: 'FNFNFFN',
      stranger: 'NFNNNNN',
      child: 'NNNNNNN',
      ownerless: 'NNNNNNN',
    },
  },
  {
    operation: 'relabel_request',
    act: (client, id) => client.post(`/v0/requests/${id}/relabel`, { kind: 'other' }),
    targets: ['adasAsk', 'strangersAsk', 'request', 'noAsk', 'message', 'noMessage'],
    expected: { ada: 'FNANAN', stranger: 'NFNNNN', child: 'NNNNNN', ownerless: 'FFFFFF' },
  },
  {
    operation: 'get_record',
    act: (client, id) => client.get(`/v0/records/${id}`),
    targets: records,
    expected: {
      ada: 'AAAAN',
      adasAi: 'AAAAN',
      fellow: 'AAAAN',
      stranger: 'NNNAN',
      child: 'NNNAN',
      ownerless: 'NNNAN',
      app: 'AAAAN',
      otherApp: 'NNNAN',
      nobody: 'NNNAN',
    },
  },
];
