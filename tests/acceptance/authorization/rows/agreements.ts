import type { Row } from './row.ts';

const agreements = ['adasAgreement', 'strangersAgreement', 'noAgreement'] as const;
const byAis = { ada: 'FFF', stranger: 'FFF', child: 'FFF', ownerless: 'NNN', app: 'FFF', otherApp: 'FFF' };

/** Agreements: one with Ada's AI, and one with the stranger's. Only AIs act on agreements. */
export const agreementsRows: readonly Row[] = [
  {
    operation: 'get_agreement',
    act: (client, id) => client.get(`/v0/agreements/${id}`),
    targets: agreements,
    expected: {
      ada: 'ANN',
      adasAi: 'ANN',
      fellow: 'NNN',
      stranger: 'NAN',
      child: 'NNN',
      ownerless: 'NNN',
      app: 'NNN',
      otherApp: 'NNN',
    },
  },
  {
    operation: 'sign_agreement',
    // Different terms, so that no signature counts.
    act: (client, id) => client.post(`/v0/agreements/${id}/sign`, { terms_digest: 'sha-256:none' }),
    targets: agreements,
    expected: { ...byAis, adasAi: 'ANN' },
  },
  {
    operation: 'settle_agreement',
    act: (client, id) => client.post(`/v0/agreements/${id}/settle`, { outcome: 'kept' }),
    targets: agreements,
    expected: { ...byAis, adasAi: 'ANN' },
  },
  {
    operation: 'decline_agreement',
    act: (client, id) => client.post(`/v0/agreements/${id}/decline`, {}),
    targets: agreements,
    expected: byAis,
  },
];
