/** Where the recipient's rules placed an invite; `mail` for an email address. */
export const inviteDeliveries = ['delivered', 'requested', 'front_door', 'declined', 'mail'] as const;

export type InviteDelivery = (typeof inviteDeliveries)[number];

export const inviteStatuses = ['waiting', 'approved', 'declined', 'used'] as const;

export type InviteStatus = (typeof inviteStatuses)[number];

/** Why an invite ended without a new member. */
export const inviteEnds = ['declined', 'withdrawn', 'revoked', 'expired', 'full', 'cannot_join'] as const;

export type InviteEnd = (typeof inviteEnds)[number];
