import { people, type Row } from './row.ts';

/** People, and who guards them. */
export const peopleRows: readonly Row[] = [
  {
    operation: 'get_person',
    act: (client, id) => client.get(`/v0/people/${id}`),
    targets: people,
    expected: {
      ada: 'AANAN',
      adasAi: 'AANAN',
      // The child stands before them under another id.
      fellow: 'AANAN',
      stranger: 'NNANN',
      child: 'AANAN',
      ownerless: 'XXXXX',
      app: 'AANAN',
      otherApp: 'NNANN',
    },
  },
  {
    operation: 'update_person',
    act: (client, id) => client.patch(`/v0/people/${id}`, { time_zone: 'UTC' }),
    targets: people,
    expected: {
      ada: 'AFNAN',
      fellow: 'FANFN',
      stranger: 'NNANN',
      child: 'FFNAN',
      app: 'AANAN',
      otherApp: 'NNANN',
    },
  },
  {
    operation: 'delete_account',
    // The handle is wrong: only a caller who may delete is told so.
    act: (client, id) => client.delete(`/v0/people/${id}?confirm=not-the-handle`),
    targets: people,
    expected: { ada: 'AFNAN', fellow: 'FANFN', stranger: 'NNANN', child: 'FFNXN', otherApp: 'NNANN' },
  },
  {
    operation: 'end_app_hold',
    act: (client, id) => client.delete(`/v0/people/${id}/app`),
    targets: ['fellow', 'noPerson'],
    // By a sign-in of their own alone, which no app has for them.
    expected: { stranger: 'FF', otherApp: 'FF' },
  },
  {
    operation: 'guardian_view',
    act: (client, id) => client.get(`/v0/people/${id}/contacts`),
    targets: ['child', 'noPerson'],
    expected: { ada: 'AN', fellow: 'XN', stranger: 'NN', child: 'XN', otherApp: 'NN' },
  },
  {
    operation: 'end_guardian',
    act: (client, id) => client.delete(`/v0/people/${id}/guardian`),
    targets: ['child', 'noPerson'],
    expected: { ada: 'AN', fellow: 'XN', stranger: 'NN', otherApp: 'NN' },
  },
  {
    operation: 'set_guardian',
    act: (client, id, things) => client.put(`/v0/people/${id}/guardian`, { guardian: things.noPerson }),
    targets: ['child'],
    expected: { ada: 'A', fellow: 'X', stranger: 'N', child: 'X', otherApp: 'N', app: 'A' },
  },
];
