import type { ApiClient } from '@hearth/testkit/home';
import type { Row } from './row.ts';

const groups = ['group', 'strangersGroup', 'noGroup'] as const;
const invites = ['adasInvite', 'strangersInvite', 'noInvite'] as const;

/** Members see it; to others it does not exist. */
const membersOnly = {
  ada: 'ANN',
  adasAi: 'ANN',
  fellow: 'ANN',
  child: 'ANN',
  stranger: 'NAN',
  ownerless: 'XXX',
};

/** Members see it; only the organizer may do it. */
const organizersOnly = {
  ada: 'ANN',
  adasAi: 'ANN',
  fellow: 'FNN',
  child: 'FNN',
  stranger: 'NAN',
  ownerless: 'XXX',
};

/** Groups, their members, and their invites. */
export const groupsRows: readonly Row[] = [
  ...(
    [
      ['get_group', (client, id) => client.get(`/v0/groups/${id}`)],
      ['list_members', (client, id) => client.get(`/v0/groups/${id}/members`)],
      ['check_membership', (client, id) => client.get(`/v0/groups/${id}/members/me`)],
      ['list_group_posts', (client, id) => client.get(`/v0/groups/${id}/messages`)],
    ] as const satisfies readonly (readonly [string, Row['act']])[]
  ).map(([operation, act]) => ({ operation, act, targets: groups, expected: membersOnly })),
  ...(
    [
      ['update_group', (client, id) => client.patch(`/v0/groups/${id}`, { time_zone: 'UTC' })],
      ['list_invites', (client, id) => client.get(`/v0/groups/${id}/invites`)],
      ['create_invite', (client, id) => client.post(`/v0/groups/${id}/invites`, { invitee: 'Someone' })],
      ['set_role', (client, id) => client.put(`/v0/groups/${id}/members/me/role`, { role: 'organizer' })],
    ] as const satisfies readonly (readonly [string, Row['act']])[]
  ).map(([operation, act]) => ({ operation, act, targets: groups, expected: organizersOnly })),
  ...['archive', 'end', 'restore'].map((verb) => ({
    operation: `${verb}_group`,
    act: (client: ApiClient, id: string) => client.post(`/v0/groups/${id}/${verb}`),
    targets: groups,
    // Leaves out viewers who may do it: the group is still needed.
    expected: { fellow: 'FNN', child: 'FNN', ownerless: 'XXX' },
  })),
  {
    operation: 'remove_member',
    act: (client, id, things) => client.delete(`/v0/groups/${id}/members/${things.ada}`),
    targets: groups,
    expected: { fellow: 'FNN', child: 'FNN', ownerless: 'XXX' },
  },
  {
    operation: 'revoke_invite',
    act: (client, id) => client.delete(`/v0/invites/${id}`),
    targets: invites,
    expected: { fellow: 'XNN', child: 'XNN', ownerless: 'XXX', stranger: 'NAN', ada: 'ANN' },
  },
];
