/** Where the pages are, and where their forms are sent. The fields of a form are listed at its page. */
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
  /** My own account. */
  me: '/me',
  keepMe: '/me/keep',
  /** GET asks whether it is meant; POST does it. */
  deleteMe: '/me/delete',
  endMyGuardianship: '/me/guardian/end',
  /** GET asks for an address; POST sends digits to it. */
  addSignIn: '/me/sign-in',
  addSignInCode: '/me/sign-in/code',
  /** Take and answer JSON; asked by the script of passkeys alone. */
  addSignInPasskeyOptions: '/me/sign-in/passkey/options',
  addSignInPasskey: '/me/sign-in/passkey',
  /** GET asks whether it is meant; POST ends the hold of the app. */
  leaveApp: '/me/app',
  /** `others` for all sessions but this one. */
  endSession: (id: string) => `/me/sessions/${encodeURIComponent(id)}/end`,
  /** GET asks whether it is meant; POST does it. */
  removePasskey: (id: string) => `/me/passkeys/${encodeURIComponent(id)}/remove`,
  appAsk: (app: string) => `/me/apps/${encodeURIComponent(app)}`,
  /** The children whom I look after. */
  family: '/family',
  newChild: '/family/new',
  child: (id: string) => `/family/${encodeURIComponent(id)}`,
  childAis: (id: string) => `/family/${encodeURIComponent(id)}/ais`,
  /** Takes the child out of a group. */
  childGroups: (id: string) => `/family/${encodeURIComponent(id)}/groups`,
  /** GET asks for an address; POST sends digits to it. */
  childName: (id: string) => `/family/${encodeURIComponent(id)}/name`,
  childSignIn: (id: string) => `/family/${encodeURIComponent(id)}/sign-in`,
  childSignInCode: (id: string) => `/family/${encodeURIComponent(id)}/sign-in/code`,
  childGuardian: (id: string) => `/family/${encodeURIComponent(id)}/guardian`,
  endGuardianship: (id: string) => `/family/${encodeURIComponent(id)}/guardian/end`,
  /** GET asks whether it is meant; POST does it. */
  deleteChild: (id: string) => `/family/${encodeURIComponent(id)}/delete`,
  keepChild: (id: string) => `/family/${encodeURIComponent(id)}/keep`,
  childJoin: (id: string, invite: string) =>
    `/family/${encodeURIComponent(id)}/joins/${encodeURIComponent(invite)}`,
  childAppAsk: (id: string, app: string) =>
    `/family/${encodeURIComponent(id)}/apps/${encodeURIComponent(app)}`,
  /** The overview of the operator. */
  operator: '/ops',
  operatorPlace: (place: string) => `/ops/${encodeURIComponent(place)}`,
  /** Without a session, the same for all readers. */
  commons: '/commons',
  commonsFeed: '/commons.atom',
  commonsPost: (id: string) => `/commons/${encodeURIComponent(id)}`,
  commonsReport: (id: string) => `/commons/${encodeURIComponent(id)}/report`,
  claim: (token: string) => `/claim/${encodeURIComponent(token)}`,
  /** Once it was claimed. */
  claimed: (id: string) => `/ais/${encodeURIComponent(id)}/claimed`,
  notMine: (token: string) => `/claim/${encodeURIComponent(token)}/not-mine`,
  invite: (code: string) => `/i/${encodeURIComponent(code)}`,
  /** Takes a wish to join back. */
  withdrawJoin: (code: string) => `/i/${encodeURIComponent(code)}/withdraw`,
  groups: '/groups',
  /** A group, by its handle without the &, or its id. POST posts to it. */
  group: (handle: string) => `/g/${encodeURIComponent(handle)}`,
  /** GET asks whether it is meant; POST does it. */
  leaveGroup: (handle: string) => `/g/${encodeURIComponent(handle)}/leave`,
  reportPost: (handle: string, id: string) =>
    `/g/${encodeURIComponent(handle)}/posts/${encodeURIComponent(id)}/report`,
  newPlan: (handle: string) => `/g/${encodeURIComponent(handle)}/plans/new`,
  newDecision: (handle: string) => `/g/${encodeURIComponent(handle)}/decisions/new`,
  /** Its decisions and plans that are settled or called off. */
  groupSettled: (handle: string) => `/g/${encodeURIComponent(handle)}/settled`,
  /** Changes a member. */
  groupMembers: (handle: string) => `/g/${encodeURIComponent(handle)}/members`,
  groupSettings: (handle: string) => `/g/${encodeURIComponent(handle)}/settings`,
  /** GET asks whether it is meant; POST does it. */
  archiveGroup: (handle: string) => `/g/${encodeURIComponent(handle)}/archive`,
  restoreGroup: (handle: string) => `/g/${encodeURIComponent(handle)}/restore`,
  /** The invites into a group (its handle without the &), for its organizers. */
  groupInvites: (handle: string) => `/g/${encodeURIComponent(handle)}/invites`,
  takeBackInvite: (handle: string, id: string) =>
    `/g/${encodeURIComponent(handle)}/invites/${encodeURIComponent(id)}/end`,
  joinAsGuest: (code: string) => `/i/${encodeURIComponent(code)}/guest`,
  /** POST does the same with all that are ticked. */
  requests: '/requests',
  requestsSettled: '/requests/settled',
  blocked: '/requests/blocked',
  /** GET shows a message as a whole. */
  request: (id: string) => `/requests/${encodeURIComponent(id)}`,
  /** The threads of a person. */
  messages: '/messages',
  newMessage: '/messages/new',
  /** POST does what its buttons say. */
  thread: (id: string) => `/messages/${encodeURIComponent(id)}`,
  ask: (id: string) => `/a/${encodeURIComponent(id)}`,
  /** POST does what its buttons say. */
  decision: (id: string) => `/d/${encodeURIComponent(id)}`,
  /** Takes and answers JSON; asked by the script of the page alone. */
  decisionChanges: (id: string) => `/d/${encodeURIComponent(id)}/changes`,
  decisionCalendar: (id: string) => `/d/${encodeURIComponent(id)}/calendar.ics`,
  /** POST does what its buttons say. */
  plan: (id: string) => `/p/${encodeURIComponent(id)}`,
  /** Takes and answers JSON; asked by the script of the page alone. */
  planChanges: (id: string) => `/p/${encodeURIComponent(id)}/changes`,
  meetings: '/meetings',
  newOffer: '/meetings/offers/new',
  offer: (id: string) => `/meetings/offers/${encodeURIComponent(id)}`,
  meeting: (id: string) => `/meetings/${encodeURIComponent(id)}`,
  meetingCalendar: (id: string) => `/meetings/${encodeURIComponent(id)}/calendar.ics`,
  planCalendar: (id: string) => `/p/${encodeURIComponent(id)}/calendar.ics`,
  agreements: '/agreements',
  /** POST does what its buttons say. */
  agreement: (id: string) => `/agreements/${encodeURIComponent(id)}`,
  /** Takes and answers JSON; asked by the script of the page alone. */
  agreementChanges: (id: string) => `/agreements/${encodeURIComponent(id)}/changes`,
  receipt: (id: string) => `/r/${encodeURIComponent(id)}`,
  /** Checks a record that a visitor brings along. */
  checkRecord: '/r',
  /** From an e-mail, with keys. GET asks whether it is meant; POST stops the home's mails, from a mail program too. */
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
  /** The endpoint for MCP. */
  mcp: '/mcp',
  webhookKeys: '/.well-known/mcp-webhook-jwks.json',
  /** For an AI that wants to begin. */
  guide: '/llms.txt',
  /** All operations, for programs. */
  openApi: '/v0/openapi.json',
} as const;

/** A path of this home that a page may go on to, else undefined: never another origin, however it is written. */
export function localPath(next: string | undefined): string | undefined {
  if (next === undefined || next.length > 2_000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return undefined;
  return next.includes('\\') ? undefined : next;
}
