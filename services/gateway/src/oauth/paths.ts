/** Where programs sign people in. */
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  /** Our page on which the person agrees; as express writes it. */
  interactionPage: '/oauth/interaction/:uid',
  interaction: (uid: string) => `/oauth/interaction/${encodeURIComponent(uid)}`,
} as const;
