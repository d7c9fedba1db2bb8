import type { ApiClient } from '@hearth/testkit/home';
import { people, type Row } from './row.ts';

/** Rules about requests to a person, and the callers who may set them. */
export const rulesRows: readonly Row[] = [
  {
    operation: 'request_rules',
    act: (client, person) => client.get(`/v0/request-rules?person=${person}`),
    targets: people,
    expected: {
      ada: 'ANNAN',
      adasAi: 'ANNAN',
      fellow: 'NANNN',
      stranger: 'NNANN',
      child: 'NNNAN',
      ownerless: 'FFFFF',
    },
  },
  {
    operation: 'set_request_rules',
    act: (client, person) => client.put('/v0/request-rules', { person, rules: {} }),
    targets: people,
    expected: {
      ada: 'ANNAN',
      adasAi: 'FFFFF',
      fellow: 'NANNN',
      stranger: 'NNANN',
      // The child's guardian sets them.
      child: 'NNNFN',
      ownerless: 'FFFFF',
    },
  },
  ...['accept', 'decline'].map((verb) => ({
    operation: `${verb}_request_rules`,
    act: (client: ApiClient, id: string) => client.post(`/v0/request-rules/proposal/${id}/${verb}`),
    targets: ['proposal', 'adasAsk', 'noAsk'],
    // Leaves out viewers who may answer: an ask is answered once.
    expected: { adasAi: 'FFF', fellow: 'NNN', stranger: 'NNN', child: 'FFF', ownerless: 'FFF' },
  })),
];
