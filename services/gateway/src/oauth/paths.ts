import { oauthRoutes } from '@hearth/limits';

/** The paths for signing people in to programs. */
export const oauthPaths = {
  authorize: oauthRoutes.authorize.path,
  token: oauthRoutes.token.path,
  register: oauthRoutes.register.path,
  revoke: oauthRoutes.revoke.path,
  /** Our consent page, as an express path. */
  interactionPage: '/oauth/interaction/:uid',
  interaction: (uid: string) => `/oauth/interaction/${encodeURIComponent(uid)}`,
} as const;
