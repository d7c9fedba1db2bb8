import { people, type Row } from './row.ts';

/** People and their guardians. */
export const peopleRows: readonly Row[] = [
  {
    operation: 'get_person',
    act: (client, id) => client.get(`/v0/people/${id}`),
    targets: people,
    expected: {
      ada: 'AANAN',
      adasAi: 'AANAN',
      // They see the child under another id.
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
    // Sends the wrong handle; only a caller who may delete is told so.
    act: (client, id) => client.delete(`/v0/people/${id}?confirm=not-the-handle`),
    targets: people,
    expected: { ada: 'AFNAN', fellow: 'FANFN', stranger: 'NNANN', child: 'FFNXN', otherApp: 'NNANN' },
  },
  {
    operation: 'end_app_hold',
    act: (client, id) => client.delete(`/v0/people/${id}/app`),
    targets: ['fellow', 'noPerson'],
    // Needs the person's own sign-in, which no app has.
    expected: { stranger: 'FF', otherApp: 'FF' },
  },
  {
    operation: 'guardian_view',
    act: (client, id) => client.get(`/v0/people/${id}/contacts`),
    targets: ['child', 'noPerson'],
    expected: { ada: 'AN', fellow: 'XN', stranger: 'NN', child: 'XN', otherApp: 'WW' },
  },
  {
    operation: 'accept_invite',
    // Ada is the guardian of the child, who is already in the group.
    act: (client, id, things) => client.post(`/v0/invites/${things.childsLink}/accept`, { for: id }),
    targets: ['child', 'fellow', 'noPerson'],
    expected: { ada: 'ANN', adasAi: 'FFF', fellow: 'NNN', stranger: 'NNN' },
  },
  {
    operation: 'claim_guest',
    // Needs the guardian's own sign-in, which no app has.
    act: (client, id) => client.post('/v0/people/me/sign-in', { for: id, email: 'child@example.com' }),
    targets: ['child', 'noPerson'],
    expected: { ada: 'FF', adasAi: 'FF', fellow: 'FF', stranger: 'FF', child: 'FF' },
  },
  {
    operation: 'end_guardian',
    act: (client, id) => client.delete(`/v0/people/${id}/guardian`),
    targets: ['child', 'noPerson'],
    expected: { ada: 'AN', fellow: 'XN', stranger: 'NN', otherApp: 'WW' },
  },
  {
    operation: 'set_guardian',
    act: (client, id, things) => client.put(`/v0/people/${id}/guardian`, { guardian: things.noPerson }),
    targets: ['child'],
    expected: { ada: 'A', fellow: 'X', stranger: 'N', child: 'X', otherApp: 'N', app: 'A' },
  },
  ...['suspend', 'restore', 'delete', 'keep'].map(
    (what): Row => ({
      operation: `${what}_person`,
      act: (client, id) => client.post(`/v0/admin/people/${id}/${what}`, { reason: 'spam' }),
      targets: ['fellow', 'noPerson'],
      expected: { ada: 'FF', adasAi: 'FF', fellow: 'FF', stranger: 'FF', app: 'FF', nobody: 'FF' },
    }),
  ),
];
