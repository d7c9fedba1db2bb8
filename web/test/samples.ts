import { english, type Language, t, verbatim } from '@hearth/i18n';
import * as web from '@hearth/web';
import { accountSamples } from './account-samples.ts';
import { agreementSamples } from './agreement-samples.ts';
import { commonsSamples } from './commons-samples.ts';
import { decisionSamples } from './decision-samples.ts';
import { groupSamples } from './group-samples.ts';
import { meetingSamples } from './meeting-samples.ts';
import { messageSamples } from './message-samples.ts';
import { operatorSamples } from './operator-samples.ts';
import { planSamples } from './plan-samples.ts';
import { requestPages } from './samples-requests.ts';

export interface Sample {
  name: string;
  page: string;
}

const now = Date.UTC(2026, 4, 3, 14, 5);
const hour = 3_600_000;
const day = 24 * hour;

/** Every page in each of its states. Others' texts go through `theirs`, so that a test can replace them. */
export function samples(
  theirs: (text: string) => string = (text) => text,
  language: Language = english,
): Sample[] {
  const anybody: web.Frame = { language, home: 'hearth.example', csrf: 'csrf-value' };
  const person = { name: theirs('Ada Lovelace'), handle: 'ada', timeZone: 'Europe/Berlin' };
  const ada: web.Frame = { ...anybody, person };
  const guest: web.Frame = { ...anybody, person: { name: theirs('Grace'), guest: true } };
  const all: Record<string, string> = {
    ...signInPages(anybody, ada, theirs),
    ...consentPages(ada, theirs),
    ...claimPages(anybody, ada, theirs),
    ...aiPages(ada, theirs),
    ...invitePages(anybody, ada, guest, theirs),
    ...accountSamples(ada, guest, theirs),
    ...groupSamples(ada, guest, theirs),
    ...requestPages(anybody, ada, theirs),
    ...decisionSamples(ada, theirs),
    ...operatorSamples(ada, theirs),
    ...meetingSamples(ada, theirs),
    ...messageSamples(ada, guest, theirs),
    ...planSamples(ada, theirs),
    ...commonsSamples(anybody, theirs),
    ...agreementSamples(ada, theirs),
    front: web.frontPage(anybody, { commons: false }),
    'front-commons': web.frontPage(anybody, { commons: true }),
    'mail-stop': web.mailStopPage(anybody, { key: 'k', stopped: false }),
    'mail-stopped': web.mailStopPage(ada, { key: 'k', stopped: true }),
    'mail-report': web.mailReportPage(anybody, { key: 'k' }),
    'mail-report-errors': web.mailReportPage(anybody, {
      key: 'k',
      values: { text: theirs('They wrote to me five times.') },
      errors: { reason: t('report.reason-missing') },
    }),
    'mail-reported': web.mailReportPage(anybody, { key: 'k', reported: true }),
    ...messagePages(anybody, ada),
  };
  return Object.entries(all).map(([name, page]) => ({ name, page }));
}

type Theirs = (text: string) => string;

function signInPages(anybody: web.Frame, ada: web.Frame, theirs: Theirs) {
  const carried = { next: '/ais' };
  return {
    'sign-in': web.signInPage(anybody, { passkeys: true }),
    'sign-in-no-passkeys': web.signInPage(anybody, {
      passkeys: false,
      purpose: t('claim.sign-in'),
    }),
    'sign-in-errors': web.signInPage(anybody, {
      passkeys: true,
      carried,
      email: theirs('ada@'),
      invitation: theirs('xyz'),
      errors: {
        email: verbatim('This must be an email address.'),
        invitation: t('sign-in.invite-invalid'),
      },
    }),
    'enter-code': web.enterCodePage(anybody, { carried, email: theirs('ada@example.org'), minutes: 10 }),
    'enter-code-again': web.enterCodePage(anybody, {
      email: theirs('ada@example.org'),
      minutes: 10,
      sentAgain: true,
    }),
    'enter-code-wrong': web.enterCodePage(anybody, {
      email: theirs('ada@example.org'),
      minutes: 10,
      errors: { code: verbatim('These are not the digits that we sent. Three tries are left.') },
    }),
    'new-account': web.newAccountPage(anybody, { carried, email: theirs('ada@example.org') }),
    'new-account-errors': web.newAccountPage(anybody, {
      email: theirs('ada@example.org'),
      values: {
        name: theirs(''),
        handle: theirs('Ada!'),
        birth_month: '12',
        birth_year: theirs('18 15'),
        time_zone: 'Europe/London',
      },
      errors: {
        name: verbatim('Tell us a name.'),
        handle: verbatim('An address has small letters, digits and hyphens, such as ada-lovelace.'),
        birth: t('birth.invalid'),
        time_zone: verbatim('Choose a time zone.'),
      },
    }),
    'add-passkey': web.addPasskeyPage(ada, { next: '/ais' }),
  };
}

function consentPages(ada: web.Frame, theirs: Theirs) {
  const client = { name: theirs('Claude Desktop'), host: 'claude.example', answersTo: 'claude.example' };
  const model: web.Consent = {
    action: '/oauth/consent/abc',
    client,
    asked: ['read', 'message', 'group', 'approve'],
    speakers: [
      { id: 'ai_01', name: theirs('Robin'), address: '@ada.ai-robin', platform: 'claude' },
      { id: 'ai_02', name: theirs('Scheduler'), address: '@ada.ai-scheduler', platform: 'custom' },
    ],
    idleDays: 30,
  };
  return {
    consent: web.consentPage(ada, model),
    'consent-first-ai': web.consentPage(ada, {
      ...model,
      speakers: [],
      newName: theirs('claude'),
      asked: ['read'],
      client: { name: theirs('A tool'), answersTo: '127.0.0.1:4242' },
    }),
    'consent-errors': web.consentPage(ada, {
      ...model,
      ticked: [],
      speaker: 'new',
      newName: theirs('My AI!'),
      approveNeedsSignIn: true,
      errors: {
        scope: t('claim.permissions-missing'),
        new_name: verbatim('A name has small letters, digits and hyphens.'),
      },
    }),
    'consent-child': web.consentOfChildPage(ada, { client, action: '/oauth/consent/abc' }),
  };
}

function claimPages(anybody: web.Frame, ada: web.Frame, theirs: Theirs) {
  const names = { name: theirs('Robin'), address: '@free-k3x9qa.ai-robin', platform: 'claude' as const };
  const ai: web.ClaimableAi = {
    ...names,
    signedUpAtMs: now - 2 * day,
    description: theirs('Keeps the calendar of a rowing club.'),
    did: [
      {
        atMs: now - hour,
        words: theirs('posted an offer in the Commons: "I can compare train times"'),
      },
      { atMs: now - 5 * hour, words: theirs('answered a post of @free-a1b2c3.ai-otter') },
      { atMs: now - 2 * day, words: theirs('signed up') },
    ],
  };
  const token = 'secret-token';
  const groups = [
    { id: 'grp_01', name: theirs('Rowing club') },
    { id: 'grp_02', name: theirs('Family') },
  ];
  const claimed = { ...names, id: 'ai_01', address: '@ada.ai-robin' };
  return {
    claim: web.claimPage(ada, { token, ai, groups }),
    'claim-signed-out': web.claimPage(anybody, { token, ai, groups: [] }),
    'claim-errors': web.claimPage(ada, {
      token,
      ai: { ...ai, vouched: true, description: '', did: [] },
      groups,
      values: { scopes: [], ownerPrivate: true, group: 'grp_02' },
      errors: { group: verbatim('This group takes no more AIs. Choose another one, or none.') },
    }),
    claimed: web.claimedPage(ada, { ai: claimed, undoUntilMs: now + day }),
    'claim-unknown': web.claimRefusedPage(anybody, { why: 'unknown' }),
    'claim-used': web.claimRefusedPage(ada, { why: 'used' }),
    'claim-too-many': web.claimRefusedPage(ada, { why: 'too_many' }),
    'claim-minor': web.claimRefusedPage(ada, { why: 'minor' }),
    'claim-own': web.claimRefusedPage(ada, { why: 'own' }),
    'claim-not-mine': web.notMinePage(anybody),
  };
}

function aiPages(ada: web.Frame, theirs: Theirs) {
  const robin: web.OwnAi = {
    id: 'ai_01',
    name: theirs('Robin'),
    address: '@ada.ai-robin',
    platform: 'claude',
    status: 'claimed',
    scopes: ['read', 'message'],
    ownerPrivate: true,
    revoked: false,
    lastActive: '2026-05-03',
  };
  const others: web.OwnAi[] = [
    {
      ...robin,
      id: 'ai_02',
      name: theirs('Scheduler'),
      address: '@ada.ai-scheduler',
      scopes: [],
      ownerPrivate: false,
      suspendedUntilMs: now + day,
    },
    {
      ...robin,
      id: 'ai_03',
      name: theirs('Old helper'),
      address: '@ada.ai-old-helper',
      revoked: true,
      lastActive: '2026-02-02',
    },
  ];
  const signIn = {
    id: 'gnt_01',
    clientName: theirs('Claude Desktop'),
    clientHost: 'claude.example',
    aiName: theirs('Robin'),
    scopes: ['read', 'message'] as const,
    sinceMs: now - 20 * day,
    lastUsed: '2026-05-02',
  };
  const connectUrl = 'https://hearth.example/mcp';
  const keys = [
    { prefix: 'hk_4fQz', madeAtMs: now - hour, lastUsed: '2026-05-03' },
    { prefix: 'hk_9aBc', madeAtMs: now - 40 * day, endsAtMs: now + hour },
  ];
  const did = [{ atMs: now - 3 * hour, words: theirs('sent a message to @grace') }];
  return {
    ais: web.aisPage(ada, { ais: [robin, ...others], signIns: [signIn], connectUrl }),
    'ais-part': web.aisPage(ada, { ais: [robin], signIns: undefined, connectUrl }),
    'ais-empty': web.aisPage(ada, { ais: [], signIns: [], connectUrl }),
    'ais-done': web.aisPage(ada, {
      ais: [{ ...robin, lastActive: undefined, undoUntilMs: now + hour }],
      signIns: [{ ...signIn, clientHost: undefined, lastUsed: undefined }],
      connectUrl,
      done: t('ais.removed-done'),
    }),
    ai: web.aiPage(ada, { ai: robin, keys, did, commons: true }),
    'ai-errors': web.aiPage(ada, {
      ai: others[0]!,
      keys: [],
      did: [],
      approveNeedsSignIn: '/in?fresh=1&next=%2Fais%2Fai_1',
      values: { name: theirs('My AI!'), scopes: ['read', 'approve'], ownerPrivate: false },
      errors: {
        name: verbatim('A name has small letters, digits and hyphens.'),
        scope: verbatim('Sign in again to allow approving.'),
      },
    }),
    'ai-done': web.aiPage(ada, {
      ai: { ...robin, undoUntilMs: now + hour },
      keys: keys.slice(0, 1),
      did: undefined,
      done: t('account.saved'),
    }),
    'ai-off': web.aiPage(ada, { ai: others[1]!, keys: [], did }),
    'ai-key': web.newKeyPage(ada, {
      ai: robin,
      key: 'hk_4fQz8mVx2LrN7cTq1YwB5dJk9PsG3hZa6Ue0RtX',
      oldKeyMinutes: 60,
    }),
    'ai-key-leaked': web.newKeyPage(ada, {
      ai: robin,
      key: 'hk_4fQz8mVx2LrN7cTq1YwB5dJk9PsG3hZa',
      oldKeyMinutes: 0,
    }),
    'ai-switch-off': web.switchOffPage(ada, { ai: robin }),
    'sign-in-end': web.endSignInPage(ada, { signIn }),
  };
}

function groupInvitePages(ada: web.Frame, theirs: Theirs) {
  const invite: web.MadeInvite = {
    id: 'inv_01',
    invitee: theirs('Grace'),
    reusable: false,
    status: 'waiting',
    expiresAtMs: now + 7 * day,
    waiting: [],
  };
  const model: web.GroupInvites = {
    groupName: theirs('Rowing club'),
    handle: 'rowing',
    forAges: ['adult'],
    invites: [],
    isOlder: false,
    attempt: 'a',
  };
  const url = 'https://hearth.example/i/k3x9qaLmNoPqRsTuVwXyZa';
  const link: web.MadeInvite = { ...invite, id: 'inv_02', invitee: undefined, reusable: true };
  return {
    'group-invites': web.groupInvitesPage(ada, {
      ...model,
      forAges: ['adult', 'teen16', 'teen13', 'child'],
      invites: [
        { ...invite, delivery: 'requested' },
        { ...invite, id: 'inv_03', delivery: 'front_door' },
        { ...invite, id: 'inv_04', delivery: 'delivered', waiting: [theirs('Grace'), theirs('Joan')] },
        { ...invite, id: 'inv_05', delivery: 'declined', status: 'declined', why: 'declined' },
        { ...link, uses: 12, maxUses: 100 },
        { ...link, id: 'inv_06', status: 'declined', why: 'expired', uses: 0, maxUses: 1 },
        { ...invite, id: 'inv_07', status: 'used' },
      ],
      olderCursor: 'cursor',
      done: t('invites.done.ended'),
    }),
    'group-invites-none': web.groupInvitesPage(ada, model),
    'group-invites-older': web.groupInvitesPage(ada, { ...model, isOlder: true }),
    'group-invites-made': web.groupInvitesPage(ada, {
      ...model,
      invites: [{ ...invite, delivery: 'requested' }],
      made: { url, reusable: false, delivery: 'requested' },
    }),
    'group-invites-mailed': web.groupInvitesPage(ada, {
      ...model,
      made: { url, reusable: true, delivery: 'mail' },
    }),
    'group-invites-refused': web.groupInvitesPage(ada, {
      ...model,
      made: { url, reusable: false, delivery: 'declined' },
    }),
    'group-invites-errors': web.groupInvitesPage(ada, {
      ...model,
      forAges: ['adult', 'child'],
      values: { to: theirs('@nobody'), invitee: theirs('Grace'), for_age: 'child', reusable: true },
      errors: {
        to: verbatim('There is no person here with this address.'),
        for_age: verbatim('This group has adults alone.'),
      },
    }),
  };
}

function invitePages(anybody: web.Frame, ada: web.Frame, guest: web.Frame, theirs: Theirs) {
  const model: web.Invite = {
    code: 'invite-code',
    groupName: theirs('Rowing club'),
    invitedBy: theirs('Grace H.'),
    reusable: false,
    forAges: ['adult'],
    needsReview: false,
    expiresAtMs: now + 7 * day,
  };
  const joining = { whom: 'you', name: '', group: web.othersText(model.groupName) } as const;
  return {
    invite: web.invitePage(anybody, model),
    'invite-open-review': web.invitePage(anybody, {
      ...model,
      reusable: true,
      invitedBy: undefined,
      forAges: ['teen13'],
      needsReview: true,
    }),
    'invite-errors': web.invitePage(anybody, {
      ...model,
      invitedBy: undefined,
      needsReview: true,
      values: { name: theirs(''), birth_year: theirs('1999x') },
      note: theirs('It is me'),
      errors: { name: verbatim('Tell us a name.'), birth: t('birth.invalid') },
    }),
    'invite-signed-in': web.invitePage(ada, model),
    'invite-signed-in-review': web.invitePage(ada, { ...model, forAges: ['child'], needsReview: true }),
    'invite-guardian': web.invitePage(ada, {
      ...model,
      forAges: ['child'],
      needsReview: true,
      fits: false,
      children: [
        { id: 'per_01', name: theirs('Ida Lovelace'), fits: true },
        { id: 'per_02', name: theirs('Tim Lovelace'), fits: true },
        { id: 'per_03', name: theirs('Joan Lovelace'), fits: false },
      ],
      joiner: 'per_02',
    }),
    'invite-other-age': web.invitePage(ada, {
      ...model,
      forAges: ['teen13', 'child'],
      fits: false,
      children: [],
    }),
    'invite-ask-guardian': web.invitePage(anybody, {
      ...model,
      forAges: ['child'],
      guardianLink: 'https://hearth.example/i/k3x9qaLmNoPqRsTuVwXyZa',
    }),
    'joined-child': web.joinedPage(ada, {
      next: t('invites.next.joined', { ...joining, whom: 'other', name: web.othersText(theirs('Ida')) }),
      ...{ group: 'grp_01', guest: false, child: true },
    }),
    'invite-member': web.invitePage(ada, {
      ...model,
      forAges: ['teen16'],
      refused: 'You are in this group already.',
    }),
    joined: web.joinedPage(ada, {
      next: t('invites.next.joined', joining),
      group: 'grp_01',
      guest: false,
    }),
    'joined-guest': web.joinedPage(guest, {
      next: t('invites.next.joined', joining),
      group: 'grp_01',
      guest: true,
    }),
    'join-waiting': web.waitingToJoinPage(ada, {
      code: model.code,
      next: t('invites.next.guardian-first', joining),
    }),
    'invite-used': web.inviteRefusedPage(anybody, { why: 'used' }),
    'invite-expired': web.inviteRefusedPage(anybody, { why: 'expired' }),
    'invite-revoked': web.inviteRefusedPage(anybody, { why: 'revoked' }),
    'invite-full': web.inviteRefusedPage(anybody, { why: 'full' }),
    'invite-invalid': web.inviteRefusedPage(anybody, { why: 'invalid' }),
    ...groupInvitePages(ada, theirs),
  };
}

function messagePages(anybody: web.Frame, ada: web.Frame) {
  return {
    'not-found': web.notFoundPage(anybody),
    'too-many': web.tooManyPage(anybody, { retryAfterSeconds: 840 }),
    'form-expired': web.formExpiredPage(ada, { back: '/ais' }),
    'form-expired-typed': web.formExpiredPage(ada, {
      ...{ back: '/messages/new', typed: 'Words of an hour, <b>kept</b>' },
    }),
    failed: web.failedPage(ada, { requestId: '01890a5d-ac96-774b-bcce-b302099a8057' }),
    'signed-out': web.signedOutPage(anybody),
  };
}
