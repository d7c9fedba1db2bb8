/** Where programs sign people in. */
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  /** Our page on which the person agrees. */
  interaction: (uid: string) => `/oauth/interaction/${encodeURIComponent(uid)}`,
} as const;
