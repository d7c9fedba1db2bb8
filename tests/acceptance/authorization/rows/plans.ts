import type { Row } from './row.ts';

const plans = ['adasPlan', 'hiddenPlan', 'strangersPlan', 'noPlan'] as const;
const ofOrganizers = { ada: 'AANN', adasAi: 'AANN', fellow: 'FNNN', stranger: 'NNAN', child: 'FFNN' };

/** Plans: Ada's, one hidden from her fellow, and one of a group that she is not in. */
export const plansRows: readonly Row[] = [
  {
    operation: 'get_plan',
    act: (client, id) => client.get(`/v0/plans/${id}`),
    targets: plans,
    expected: {
      ada: 'AANN',
      adasAi: 'AANN',
      fellow: 'ANNN',
      stranger: 'NNAN',
      // The child sees it; the guardian speaks for the child.
      child: 'AANN',
      ownerless: 'NNNN',
      app: 'AANN',
      otherApp: 'NNAN',
    },
  },
  {
    operation: 'take_stance',
    // An option that does not exist, so that no answer counts.
    act: (client, id) =>
      client.post(`/v0/plans/${id}/stances`, { stances: [{ option: 9, stance: 'works' }] }),
    targets: plans,
    expected: {
      ada: 'AANN',
      adasAi: 'AANN',
      fellow: 'ANNN',
      stranger: 'NNAN',
      child: 'FFNN',
      ownerless: 'FFFF',
    },
  },
  {
    operation: 'choose_option',
    act: (client, id) => client.post(`/v0/plans/${id}/choose`, { option: 1 }),
    targets: plans,
    expected: { ada: 'AANN', adasAi: 'FFFF', fellow: 'ANNN', stranger: 'NNAN', child: 'FFNN' },
  },
  {
    operation: 'add_option',
    act: (client, id) => client.post(`/v0/plans/${id}/options`, { date: '2020-01-01' }),
    targets: plans,
    expected: ofOrganizers,
  },
  {
    operation: 'settle_plan',
    act: (client, id) => client.post(`/v0/plans/${id}/settle`, { option: 9 }),
    targets: plans,
    expected: ofOrganizers,
  },
  {
    operation: 'extend_plan',
    act: (client, id) => client.patch(`/v0/plans/${id}`, { deadline_hours: 48 }),
    targets: plans,
    expected: ofOrganizers,
  },
  {
    operation: 'cancel_plan',
    act: (client, id) => client.delete(`/v0/plans/${id}`),
    targets: plans,
    expected: { fellow: 'FNNN', stranger: 'NNAN', child: 'FFNN', app: 'WWWW' },
  },
];
