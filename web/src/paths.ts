/** The paths of pages and their forms. Each page documents its form's fields. */
export const paths = {
  front: '/',
  signIn: '/in',
  /** Shows the sign-in page, with `next` in the body: a path with a secret must not appear in a query. */
  signInFor: '/in/for',
  sendCode: '/in/email',
  checkCode: '/in/code',
  makeAccount: '/in/account',
  openInvitation: '/in/invitation',
  /** JSON both ways; only for the passkey script. */
  passkeyOptions: '/in/passkey/options',
  passkey: '/in/passkey',
  /** GET offers to create one. */
  newPasskey: '/in/passkey/new',
  newPasskeyOptions: '/in/passkey/new/options',
  signOut: '/out',
  ais: '/ais',
  ai: (id: string) => `/ais/${encodeURIComponent(id)}`,
  aiKey: (id: string) => `/ais/${encodeURIComponent(id)}/key`,
  /** GET asks for confirmation; POST does it. */
  switchOffAi: (id: string) => `/ais/${encodeURIComponent(id)}/switch-off`,
  /** GET asks for confirmation; POST does it. */
  endSignIn: (id: string) => `/ais/sign-ins/${encodeURIComponent(id)}/end`,
  /** The viewer's own account. */
  me: '/me',
  keepMe: '/me/keep',
  /** GET asks for confirmation; POST does it. */
  deleteMe: '/me/delete',
  endMyGuardianship: '/me/guardian/end',
  /** GET asks for an address; POST sends it a code. */
  addSignIn: '/me/sign-in',
  addSignInCode: '/me/sign-in/code',
  /** JSON both ways; only for the passkey script. */
  addSignInPasskeyOptions: '/me/sign-in/passkey/options',
  addSignInPasskey: '/me/sign-in/passkey',
  /** GET asks for confirmation; POST ends the app's access. */
  leaveApp: '/me/app',
  /** `others` for all sessions except this one. */
  endSession: (id: string) => `/me/sessions/${encodeURIComponent(id)}/end`,
  /** GET asks for confirmation; POST does it. */
  removePasskey: (id: string) => `/me/passkeys/${encodeURIComponent(id)}/remove`,
  appAsk: (app: string) => `/me/apps/${encodeURIComponent(app)}`,
  /** The viewer's children. */
  family: '/family',
  newChild: '/family/new',
  child: (id: string) => `/family/${encodeURIComponent(id)}`,
  childAis: (id: string) => `/family/${encodeURIComponent(id)}/ais`,
  /** Removes the child from a group. */
  childGroups: (id: string) => `/family/${encodeURIComponent(id)}/groups`,
  childName: (id: string) => `/family/${encodeURIComponent(id)}/name`,
  /** GET asks for an address; POST sends it a code. */
  childSignIn: (id: string) => `/family/${encodeURIComponent(id)}/sign-in`,
  childSignInCode: (id: string) => `/family/${encodeURIComponent(id)}/sign-in/code`,
  childGuardian: (id: string) => `/family/${encodeURIComponent(id)}/guardian`,
  endGuardianship: (id: string) => `/family/${encodeURIComponent(id)}/guardian/end`,
  /** GET asks for confirmation; POST does it. */
  deleteChild: (id: string) => `/family/${encodeURIComponent(id)}/delete`,
  keepChild: (id: string) => `/family/${encodeURIComponent(id)}/keep`,
  childJoin: (id: string, invite: string) =>
    `/family/${encodeURIComponent(id)}/joins/${encodeURIComponent(invite)}`,
  childAppAsk: (id: string, app: string) =>
    `/family/${encodeURIComponent(id)}/apps/${encodeURIComponent(app)}`,
  /** The operator's overview. */
  operator: '/ops',
  operatorPlace: (place: string) => `/ops/${encodeURIComponent(place)}`,
  /** Without a session, the same for all readers. */
  commons: '/commons',
  commonsFeed: '/commons.atom',
  commonsPost: (id: string) => `/commons/${encodeURIComponent(id)}`,
  commonsReport: (id: string) => `/commons/${encodeURIComponent(id)}/report`,
  claim: (token: string) => `/claim/${encodeURIComponent(token)}`,
  /** Shown after claiming. */
  claimed: (id: string) => `/ais/${encodeURIComponent(id)}/claimed`,
  notMine: (token: string) => `/claim/${encodeURIComponent(token)}/not-mine`,
  invite: (code: string) => `/i/${encodeURIComponent(code)}`,
  /** Withdraws a request to join. */
  withdrawJoin: (code: string) => `/i/${encodeURIComponent(code)}/withdraw`,
  groups: '/groups',
  /** A group, by its handle without the &, or by its id. POST adds a post. */
  group: (handle: string) => `/g/${encodeURIComponent(handle)}`,
  /** GET asks for confirmation; POST does it. */
  leaveGroup: (handle: string) => `/g/${encodeURIComponent(handle)}/leave`,
  reportPost: (handle: string, id: string) =>
    `/g/${encodeURIComponent(handle)}/posts/${encodeURIComponent(id)}/report`,
  newPlan: (handle: string) => `/g/${encodeURIComponent(handle)}/plans/new`,
  newDecision: (handle: string) => `/g/${encodeURIComponent(handle)}/decisions/new`,
  /** Its settled and cancelled decisions and plans. */
  groupSettled: (handle: string) => `/g/${encodeURIComponent(handle)}/settled`,
  /** Changes a member. */
  groupMembers: (handle: string) => `/g/${encodeURIComponent(handle)}/members`,
  groupSettings: (handle: string) => `/g/${encodeURIComponent(handle)}/settings`,
  /** GET asks for confirmation; POST does it. */
  archiveGroup: (handle: string) => `/g/${encodeURIComponent(handle)}/archive`,
  restoreGroup: (handle: string) => `/g/${encodeURIComponent(handle)}/restore`,
  /** A group's invites (by its handle without the &), for its organizers. */
  groupInvites: (handle: string) => `/g/${encodeURIComponent(handle)}/invites`,
  takeBackInvite: (handle: string, id: string) =>
    `/g/${encodeURIComponent(handle)}/invites/${encodeURIComponent(id)}/end`,
  joinAsGuest: (code: string) => `/i/${encodeURIComponent(code)}/guest`,
  /** POST acts on all ticked requests. */
  requests: '/requests',
  requestsSettled: '/requests/settled',
  blocked: '/requests/blocked',
  /** GET shows a whole message. */
  request: (id: string) => `/requests/${encodeURIComponent(id)}`,
  /** A person's threads. */
  messages: '/messages',
  newMessage: '/messages/new',
  /** POST performs the act of a button. */
  thread: (id: string) => `/messages/${encodeURIComponent(id)}`,
  ask: (id: string) => `/a/${encodeURIComponent(id)}`,
  /** POST performs the act of a button. */
  decision: (id: string) => `/d/${encodeURIComponent(id)}`,
  /** JSON both ways; only for the page's script. */
  decisionChanges: (id: string) => `/d/${encodeURIComponent(id)}/changes`,
  decisionCalendar: (id: string) => `/d/${encodeURIComponent(id)}/calendar.ics`,
  /** POST performs the act of a button. */
  plan: (id: string) => `/p/${encodeURIComponent(id)}`,
  /** JSON both ways; only for the page's script. */
  planChanges: (id: string) => `/p/${encodeURIComponent(id)}/changes`,
  meetings: '/meetings',
  newOffer: '/meetings/offers/new',
  offer: (id: string) => `/meetings/offers/${encodeURIComponent(id)}`,
  meeting: (id: string) => `/meetings/${encodeURIComponent(id)}`,
  meetingCalendar: (id: string) => `/meetings/${encodeURIComponent(id)}/calendar.ics`,
  planCalendar: (id: string) => `/p/${encodeURIComponent(id)}/calendar.ics`,
  agreements: '/agreements',
  /** POST performs the act of a button. */
  agreement: (id: string) => `/agreements/${encodeURIComponent(id)}`,
  /** JSON both ways; only for the page's script. */
  agreementChanges: (id: string) => `/agreements/${encodeURIComponent(id)}/changes`,
  receipt: (id: string) => `/r/${encodeURIComponent(id)}`,
  /** Verifies a visitor's record. */
  checkRecord: '/r',
  /** From an email, with keys. GET asks for confirmation; POST stops the home's mails, also from a mail program. */
  mailStop: (key: string) => `/mail/stop/${encodeURIComponent(key)}`,
  mailAgain: (key: string) => `/mail/again/${encodeURIComponent(key)}`,
  mailReport: (key: string) => `/mail/report/${encodeURIComponent(key)}`,
  rules: '/rules',
  frontDoor: '/rules/front-door',
  /** GET shows what would change; POST changes it. */
  rulesStart: (preset: string) => `/rules/start/${encodeURIComponent(preset)}`,
  rulesProposal: (id: string) => `/rules/proposal/${encodeURIComponent(id)}`,
  /** The home's document, with its keys. */
  homeDocument: '/.well-known/service.json',
  /** The MCP endpoint. */
  mcp: '/mcp',
  webhookKeys: '/.well-known/mcp-webhook-jwks.json',
  /** The introduction for AIs. */
  guide: '/llms.txt',
  /** The OpenAPI document. */
  openApi: '/v0/openapi.json',
} as const;

/** The path if it belongs to this home, else undefined: never another origin, however it is spelled. */
export function localPath(next: string | undefined): string | undefined {
  if (next === undefined || next.length > 2_000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return undefined;
  return next.includes('\\') ? undefined : next;
}
