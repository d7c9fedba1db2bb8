/** How an invite reached whom it was sent to, by their own rules; `mail` of what goes to an e-mail address. */
export const inviteDeliveries = ['delivered', 'requested', 'front_door', 'declined', 'mail'] as const;

export type InviteDelivery = (typeof inviteDeliveries)[number];

export const DELIVERY_COPY: Readonly<Record<InviteDelivery, string>> = {
  delivered: 'It reached them, and they were told.',
  requested: 'It waits in their requests.',
  front_door: 'Their AI sees it first, and passes on what is for them.',
  declined: 'Their rules said a polite no at once: they do not see it.',
  mail: 'It goes out by e-mail. Whether it arrives is not known here.',
};

export const inviteStatuses = ['waiting', 'approved', 'declined', 'used'] as const;

export type InviteStatus = (typeof inviteStatuses)[number];

export const INVITE_STATUS_WORDS = {
  waiting: { words: 'open', tone: 'plain' },
  approved: { words: 'waits for a guardian', tone: 'plain' },
  declined: { words: 'came to nothing', tone: 'care' },
  used: { words: 'used', tone: 'good' },
} as const satisfies Record<InviteStatus, { words: string; tone: 'plain' | 'care' | 'good' }>;

/** Why an invite came to nothing. */
export const inviteEnds = ['declined', 'withdrawn', 'revoked', 'expired', 'full', 'cannot_join'] as const;

export type InviteEnd = (typeof inviteEnds)[number];

export const INVITE_END_WORDS: Readonly<Record<InviteEnd, string>> = {
  declined: 'It was declined.',
  withdrawn: 'Whoever used it gave it back.',
  revoked: 'It was taken back.',
  expired: 'Its time was over.',
  full: 'The group was full when the last word was given.',
  cannot_join: 'Whoever used it could not join any more.',
};
