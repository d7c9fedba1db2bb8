import type { ApiClient } from '@hearth/testkit/home';
import type { Row } from './row.ts';

const groups = ['group', 'strangersGroup', 'noGroup'] as const;
const invites = ['adasInvite', 'strangersInvite', 'noInvite'] as const;

/** Those in the group see it; the others do not know that it is there. */
const membersOnly = {
  ada: 'ANN',
  adasAi: 'ANN',
  fellow: 'ANN',
  child: 'ANN',
  stranger: 'NAN',
  ownerless: 'XXX',
};

/** Those in the group see it, and only its organizer may. */
const organizersOnly = {
  ada: 'ANN',
  adasAi: 'ANN',
  fellow: 'FNN',
  child: 'FNN',
  stranger: 'NAN',
  ownerless: 'XXX',
};

/** Groups, who is in them, and invites into them. */
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
    // A viewer who may do it is left out: the group is still needed.
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
