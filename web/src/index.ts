export { AGE_COPY, type AgeBand } from './age-copy.ts';
export { type Asset, assetHeaders, assets } from './assets.ts';
export {
  type CommonsEnd,
  type CommonsFilter,
  type CommonsPost,
  type CommonsReply,
  commonsQuery,
} from './commons.ts';
export type { Did } from './components/activity.ts';
export type { AiName } from './components/ai-name.ts';
export type { AppAsk } from './components/app-ask.ts';
export type { BirthValues } from './components/birth.ts';
export type { Errors } from './components/field.ts';
export type { Carried } from './components/form.ts';
export { homeWords } from './components/home-words.ts';
export { linkTo } from './components/link.ts';
export type { Tone } from './components/notice.ts';
export { reportChoices } from './components/report-form.ts';
export { type RequestItem, readTicked } from './components/request-row.ts';
export type { Rule, RuleRows } from './components/rule-list.ts';
export type { OutcomeKind, OutcomeParty, SignedOutcome } from './components/signed-outcome.ts';
export { moment } from './components/time.ts';
export type { AskRecipient } from './components/who-is-asked.ts';
export { readersZone } from './components/zoned-time.ts';
export {
  type Approver,
  answersFor,
  answersNow,
  type Decision,
  type DecisionAnswer,
  type DecisionClash,
  type DecisionPage,
  type DecisionPerson,
  type DecisionProposal,
  type DecisionStatus,
  type DecisionValues,
  type QuestionKind,
} from './decision.ts';
export { type Frame, homeLink, type Viewer } from './frame.ts';
export { contentSecurityPolicy, pageHeaders, publicPageHeaders } from './headers.ts';
export { type Html, html, type Piece, type Words } from './html.ts';
export {
  type InviteDelivery,
  type InviteEnd,
  type InviteStatus,
  inviteDeliveries,
  inviteEnds,
  inviteStatuses,
} from './invite-copy.ts';
export type { Meeting, MeetingPage, Offer, OfferPage } from './meeting.ts';
export { oneLine, othersLines, othersText, plainText } from './others-text.ts';
export {
  type Account,
  accountPage,
  type Guardianship,
  leaveAppPage,
  type OwnPasskey,
  type OwnSession,
  removePasskeyPage,
} from './pages/account.ts';
export {
  type AddSignIn,
  addSignInCodePage,
  addSignInPage,
} from './pages/add-sign-in.ts';
export { type Agreement, type AgreementPage, type AgreementSide, agreementPage } from './pages/agreement.ts';
export { type Agreements, agreementsPage } from './pages/agreements.ts';
export {
  type Ai,
  aiPage,
  type EndSignIn,
  endSignInPage,
  type KeyOfAi,
  type NewKey,
  newKeyPage,
  switchOffPage,
} from './pages/ai.ts';
export { type Ais, aisPage, type OwnAi, type SignInOfProgram } from './pages/ais.ts';
export { type Ask, type AskKind, type AskPage, askPage } from './pages/ask.ts';
export { type Blocked, type BlockedSender, blockedPage } from './pages/blocked.ts';
export { type ChildPage, childPage, type GuardianPlace } from './pages/child.ts';
export {
  type Claim,
  type ClaimableAi,
  type Claimed,
  type ClaimRefusal,
  claimedPage,
  claimPage,
  claimRefusedPage,
  notMinePage,
} from './pages/claim.ts';
export {
  type Commons,
  type CommonsConversation,
  type CommonsReport,
  commonsFeed,
  commonsPage,
  commonsPostPage,
  commonsReportPage,
} from './pages/commons.ts';
export {
  type Consent,
  type ConsentClient,
  type ConsentRefused,
  consentOfChildPage,
  consentPage,
  type SpeakerChoice,
} from './pages/consent.ts';
export { decisionPage } from './pages/decision.ts';
export { type DeleteAccount, deleteAccountPage } from './pages/delete-account.ts';
export {
  type Child,
  type ChildAppAsk,
  type ChildJoin,
  type Dealing,
  type Dealings,
  type Family,
  familyPage,
} from './pages/family.ts';
export { frontPage } from './pages/front.ts';
export {
  type Course,
  type Group,
  type GroupMember,
  type GroupPage,
  type GroupPost,
  groupPage,
  groupSettledPage,
  type LeaveGroup,
  leaveGroupPage,
  type PostReport,
  reportPostPage,
} from './pages/group.ts';
export {
  type FollowedInvite,
  followedInvitePage,
  type GroupInvites,
  groupInvitesPage,
  type InviteValues,
  type JustInvited,
  type MadeInvite,
} from './pages/group-invites.ts';
export {
  type ArchiveGroup,
  archiveGroupPage,
  type GroupSettings,
  type GroupSettingsField,
  type GroupSettingsValues,
  groupSettingsPage,
  joinReviews,
  planRules,
} from './pages/group-settings.ts';
export {
  type GroupAges,
  type GroupRole,
  type Groups,
  groupAges,
  groupsPage,
  type OwnGroup,
} from './pages/groups.ts';
export {
  type Invite,
  type InviteRefusal,
  invitePage,
  inviteRefusedPage,
  type Joined,
  joinedPage,
  waitingToJoinPage,
} from './pages/invite.ts';
export {
  type MailReport,
  type MailStop,
  mailReportPage,
  mailStopPage,
} from './pages/mail.ts';
export { meetingPage } from './pages/meeting.ts';
export { type Meetings, meetingsPage } from './pages/meetings.ts';
export {
  failedPage,
  formExpiredPage,
  type Message,
  messagePage,
  notFoundPage,
  signedOutPage,
  tooManyPage,
} from './pages/message.ts';
export { type ListedThread, type Messages, messagesPage, type OtherSide } from './pages/messages.ts';
export { type NewAccount, newAccountPage } from './pages/new-account.ts';
export { type NewChild, newChildPage } from './pages/new-child.ts';
export { type NewCourse, newDecisionPage, newPlanPage, newTimes } from './pages/new-course.ts';
export { type NewMessage, newMessagePage } from './pages/new-message.ts';
export { type NewOffer, newOfferPage } from './pages/new-offer.ts';
export { offerPage } from './pages/offer.ts';
export { type OneMessage, oneMessagePage } from './pages/one-message.ts';
export {
  type OperatorAct,
  type OperatorField,
  type OperatorList,
  type OperatorOverview,
  type OperatorPlace,
  type OperatorRefusal,
  type OperatorRow,
  type OperatorValue,
  operatorListPage,
  operatorPage,
} from './pages/operator.ts';
export { planPage } from './pages/plan.ts';
export {
  type CheckedRecord,
  type CheckRecord,
  checkRecordPage,
  type Receipt,
  type RecipientAnswer,
  receiptPage,
  type SignedAnswer,
  type Verdict,
} from './pages/receipt.ts';
export { type Requests, type RequestsDone, requestsPage, type WaitingDecision } from './pages/requests.ts';
export { requestsSettledPage, type SettledItem } from './pages/requests-settled.ts';
export {
  type DoorAi,
  type RuleErrors,
  type Rules,
  type RulesProposal,
  type RulesStart,
  rulesPage,
  rulesStartPage,
} from './pages/rules.ts';
export {
  type AddPasskey,
  addPasskeyPage,
  enterCodePage,
  type SignIn,
  signInPage,
} from './pages/sign-in.ts';
export { type Thread, type ThreadMessage, threadPage } from './pages/thread.ts';
export { localPath, paths } from './paths.ts';
export { type Plan, type PlanOption, type PlanPage, type PlanStance, speaksFor } from './plan.ts';
export { PLATFORM_COPY, type Platform } from './platform-copy.ts';
export {
  oneOf,
  type ReportReason,
  type RequestKind,
  type RuleAction,
  type RulePreset,
  reportReasons,
  requestKinds,
  ruleActions,
  rulePresets,
} from './request-copy.ts';
export { firstTicks, knownScopes, type Scope, scopes } from './scope-copy.ts';
export { type AskStatus, type SettledStatus, settledStatuses } from './status-copy.ts';
