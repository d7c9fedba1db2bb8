import { oauthRoutes } from '@hearth/limits';

/** Where programs sign people in. */
export const oauthPaths = {
  authorize: oauthRoutes.authorize.path,
  token: oauthRoutes.token.path,
  register: oauthRoutes.register.path,
  revoke: oauthRoutes.revoke.path,
  /** Our page on which the person agrees; as express writes it. */
  interactionPage: '/oauth/interaction/:uid',
  interaction: (uid: string) => `/oauth/interaction/${encodeURIComponent(uid)}`,
} as const;
