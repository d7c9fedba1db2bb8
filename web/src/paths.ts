/** Where the pages are, and where their forms are sent. What a form carries is said at its page. */
export const paths = {
  front: '/',
  signIn: '/in',
  /** Shows the sign-in page with `next` in the body, so that no secret of an address stands in a query. */
  signInFor: '/in/for',
  sendCode: '/in/email',
  checkCode: '/in/code',
  makeAccount: '/in/account',
  openInvitation: '/in/invitation',
  /** Take and answer JSON; asked by the script of passkeys alone. */
  passkeyOptions: '/in/passkey/options',
  passkey: '/in/passkey',
  /** GET offers to make one. */
  newPasskey: '/in/passkey/new',
  newPasskeyOptions: '/in/passkey/new/options',
  signOut: '/out',
  ais: '/ais',
  ai: (id: string) => `/ais/${encodeURIComponent(id)}`,
  aiKey: (id: string) => `/ais/${encodeURIComponent(id)}/key`,
  /** GET asks whether it is meant; POST does it. */
  switchOffAi: (id: string) => `/ais/${encodeURIComponent(id)}/switch-off`,
  /** GET asks whether it is meant; POST does it. */
  endSignIn: (id: string) => `/ais/sign-ins/${encodeURIComponent(id)}/end`,
  claim: (token: string) => `/claim/${encodeURIComponent(token)}`,
  /** Once it was claimed. */
  claimed: (id: string) => `/ais/${encodeURIComponent(id)}/claimed`,
  notMine: (token: string) => `/claim/${encodeURIComponent(token)}/not-mine`,
  invite: (code: string) => `/i/${encodeURIComponent(code)}`,
  joinAsGuest: (code: string) => `/i/${encodeURIComponent(code)}/guest`,
} as const;

/** A path of this home that a page may go on to, else undefined: never another origin, however it is written. */
export function localPath(next: string | undefined): string | undefined {
  if (next === undefined || next.length > 2_000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return undefined;
  return next.includes('\\') ? undefined : next;
}
