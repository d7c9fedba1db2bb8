import { t, verbatim } from '@hearth/i18n';
import * as web from '@hearth/web';

type Theirs = (text: string) => string;

const now = Date.UTC(2026, 4, 3, 14, 5);
const day = 24 * 3_600_000;

/** The account pages of a person and their children, in every state. */
export function accountSamples(ada: web.Frame, guest: web.Frame, theirs: Theirs): Record<string, string> {
  return { ...accountPages(ada, guest, theirs), ...familyPages(ada, theirs) };
}

function accountPages(ada: web.Frame, guest: web.Frame, theirs: Theirs) {
  const model: web.Account = {
    name: theirs('Ada Lovelace'),
    handle: 'ada',
    timeZone: 'Europe/Berlin',
    language: 'de-CH',
    languages: ['en-GB', 'de', 'ar'],
    ageBand: 'adult',
    guest: false,
    appsAsking: [],
    familyWaits: 0,
    email: theirs('ada@example.org'),
    passkeys: [
      { id: 'pky_1', madeAtMs: now - 90 * day, lastUsed: '2026-05-02' },
      { id: 'pky_2', madeAtMs: now - day, lastUsed: undefined },
    ],
    sessions: [
      {
        ...{ id: 'ses_1', device: 'Firefox on Linux', network: '203.0.113.0/24', sinceMs: now - 3 * day },
        current: true,
      },
      {
        ...{ id: 'ses_2', device: theirs('Safari on an iPhone'), network: '2001:db8:1234:5600::/56' },
        ...{ sinceMs: now - 40 * day, lastUsed: '2026-05-02', current: false },
      },
      { id: 'ses_3', device: '', network: '', sinceMs: now - day, current: false },
    ],
    newPasskey: '/in/passkey/new?next=%2Fme',
    handleDays: 30,
    oldHandleDays: 90,
    guardians: [],
    aiShare: false,
  };
  const asking = {
    app: '01900000-0000-7000-8000-0000000000f1',
    name: theirs('Rowing planner'),
    askedAtMs: now,
  };
  const guardian = {
    name: theirs('Grace Hopper'),
    address: '@grace',
    childSaidEnd: false,
    guardianSaidEnd: false,
  };
  const teen: web.Account = { ...model, ageBand: 'teen13', guardians: [guardian], app: theirs('School app') };
  const other = { ...guardian, name: theirs('Joan Clarke'), address: '@joan' };
  const young: web.Frame = { ...ada, person: { ...ada.person!, minor: true } };
  return {
    account: web.accountPage(ada, model),
    'account-asked': web.accountPage(ada, {
      ...model,
      app: theirs('School app'),
      appsAsking: [asking, { ...asking, app: '2', name: theirs('Chess club') }],
      familyWaits: 2,
      organizes: [
        { handle: 'rowing', name: theirs('Rowing club') },
        { handle: 'chess', name: theirs('Chess') },
      ],
      email: undefined,
      passkeys: [],
      newPasskey: undefined,
      handleChangesFromMs: now + 12 * day,
    }),
    'account-errors': web.accountPage(ada, {
      ...model,
      appsAsking: undefined,
      familyWaits: 1,
      values: { name: theirs(''), handle: theirs('Ada!'), time_zone: '', language: 'de' },
      errors: {
        name: verbatim('This must have 1 to 60 characters.'),
        handle: verbatim('This must be 3 to 30 lower-case letters a-z, digits and hyphens.'),
        time_zone: t('time-zones.missing'),
      },
    }),
    'account-deleting': web.accountPage(ada, {
      ...model,
      deletesAtMs: now + 7 * day,
      done: t('account.saved'),
    }),
    'account-guest': web.accountPage(guest, { ...model, guest: true, email: undefined, passkeys: [] }),
    'account-teen': web.accountPage(young, { ...teen, aiShare: true }),
    'account-teen-asked-to-end': web.accountPage(young, {
      ...teen,
      guardians: [{ ...guardian, guardianSaidEnd: true }, other],
    }),
    'account-teen-said-end': web.accountPage(young, {
      ...teen,
      guardians: [
        { ...guardian, childSaidEnd: true },
        { ...other, childSaidEnd: true },
      ],
    }),
    'account-teen-alone': web.accountPage(young, { ...teen, guardians: [] }),
    'account-child': web.accountPage(young, { ...teen, ageBand: 'child', deletesAtMs: now + day }),
    'leave-app': web.leaveAppPage(ada, { app: theirs('School app') }),
    'remove-passkey': web.removePasskeyPage(ada, model.passkeys[0]!),
    'add-sign-in': web.addSignInPage(guest, { guest: true, passkeys: true }),
    'add-sign-in-errors': web.addSignInPage(ada, {
      guest: false,
      passkeys: false,
      email: theirs('ada@'),
      errors: { email: verbatim('This is the sign-in of another account; use another address.') },
    }),
    'add-sign-in-code': web.addSignInCodePage(guest, { email: theirs('ada@example.org'), minutes: 10 }),
    'add-sign-in-code-wrong': web.addSignInCodePage(guest, {
      email: theirs('ada@example.org'),
      minutes: 10,
      sentAgain: true,
      errors: { code: verbatim('These are not the digits that we sent.') },
    }),
    'delete-account': web.deleteAccountPage(ada, {
      handle: 'ada',
      days: 7,
      action: '/me/delete',
      back: '/me',
    }),
    'delete-account-sign-in-first': web.deleteAccountPage(ada, {
      handle: 'ada',
      days: 7,
      action: '/me/delete',
      back: '/me',
      signInFirst: '/in?fresh=1&next=%2Fme%2Fdelete',
    }),
    'delete-child-errors': web.deleteAccountPage(ada, {
      child: theirs('Ida Lovelace'),
      handle: 'ida',
      days: 7,
      action: '/family/per_01/delete',
      back: '/family/per_01',
      confirm: theirs('ada'),
      errors: { confirm: verbatim('Enter @ada to confirm.') },
    }),
  };
}

function familyPages(ada: web.Frame, theirs: Theirs) {
  const me = {
    name: theirs('Ada Lovelace'),
    address: '@ada',
    childSaidEnd: false,
    guardianSaidEnd: false,
    viewer: true,
  };
  const other = { ...me, name: theirs('Grace Hopper'), address: '@grace', viewer: false };
  const ida: web.Child = {
    id: 'per_01',
    name: theirs('Ida Lovelace'),
    handle: 'ida',
    ageBand: 'child',
    next: { ageBand: 'teen13', month: '2031-06' },
    aiShare: true,
    guardians: [me, other],
    app: theirs('School app'),
    maySignIn: false,
    signsIn: false,
    dealings: {
      groups: [
        { name: theirs('Rowing club'), address: '&rowing-club', atMs: now - 90 * day },
        { name: theirs('Class 4b'), address: '&class-4b', atMs: now - 3 * day },
        { name: theirs('Class 3b'), address: '&class-3b', atMs: now - 400 * day, archived: true },
      ],
      contacts: ['Tim', 'Grace Hopper', 'Otter', 'Max'].map((name, index) => ({
        name: theirs(name),
        address: index === 0 ? `shp_${'0123456789abcdef'.repeat(2)}` : `@contact-${index}`,
        atMs: now - index * day,
      })),
      ais: [{ name: theirs('Owl'), address: '@ida.ai-owl', platform: 'claude' }],
      answered: [
        {
          id: 'apr_01',
          title: theirs('May Ida come along to the lake?'),
          status: 'approved',
          atMs: now - day,
        },
        {
          id: 'apr_02',
          title: theirs('Photo of the team in the paper'),
          status: 'declined',
          atMs: now - 9 * day,
        },
      ],
    },
  };
  const tim: web.Child = {
    ...ida,
    id: 'per_02',
    name: theirs('Tim Lovelace'),
    handle: 'tim',
    ageBand: 'teen16',
    next: { ageBand: 'adult', month: '2027-01' },
    aiShare: false,
    guardians: [me],
    app: undefined,
    maySignIn: true,
    dealings: { groups: [], contacts: [], ais: [], answered: [] },
  };
  const max: web.Child = {
    ...tim,
    id: 'per_03',
    name: theirs('Max'),
    handle: 'max',
    next: undefined,
    signsIn: true,
  };
  const joins = [
    {
      invite: 'inv_01',
      child: ida,
      groupName: theirs('Chess for beginners'),
      note: theirs('My friend Tim is in it too!'),
      askedAtMs: now - day,
      organizersToo: true,
    },
    { invite: 'inv_02', child: tim, groupName: theirs('Band'), askedAtMs: now, organizersToo: false },
  ];
  const asking = { app: 'f1', name: theirs('Chess club'), askedAtMs: now };
  return {
    family: web.familyPage(ada, {
      children: [ida, tim, max],
      joins,
      appsAsking: [
        { ...asking, child: ida },
        { ...asking, app: 'f2', child: tim },
      ],
    }),
    'family-quiet': web.familyPage(ada, {
      children: [tim],
      grown: [{ id: ida.id, name: ida.name }],
      joins: [],
      appsAsking: [],
      done: t('requests.done.approved'),
    }),
    'family-part': web.familyPage(ada, {
      children: [{ ...ida, dealings: undefined, deletesAtMs: now + 6 * day }],
      joins: undefined,
      appsAsking: [],
    }),
    'family-guest': web.familyPage(
      { ...ada, person: { ...ada.person!, guest: true } },
      { children: [], joins: [], appsAsking: [] },
    ),
    'child-new': web.newChildPage(ada, { values: {}, attempt: 'a' }),
    'child-new-errors': web.newChildPage(ada, {
      values: { name: theirs('Ida'), birth_month: '4', birth_year: theirs('20x'), guardian: '' },
      attempt: 'a',
      errors: {
        name: verbatim('This must have at most 60 characters.'),
        birth: t('birth.invalid'),
        guardian: t('family.consent-missing'),
      },
      refused: 'Enough for today.',
    }),
    'child-sign-in': web.addSignInPage(ada, { child: tim, guest: false, passkeys: false }),
    'child-sign-in-code': web.addSignInCodePage(ada, { child: tim, email: 'tim@example.com', minutes: 10 }),
    'child-alone': web.childPage(ada, {
      child: { ...ida, app: undefined, guardians: [me] },
      refused: 'You are the last organizer.',
    }),
    'family-empty': web.familyPage(ada, { children: [], joins: [], appsAsking: [] }),
    child: web.childPage(ada, { child: ida }),
    'child-teen': web.childPage(ada, {
      child: { ...tim, guardians: [{ ...me, childSaidEnd: true }], deletesAtMs: now + day },
      done: t('account.saved'),
    }),
    'child-teen-said-end': web.childPage(ada, {
      child: { ...max, guardians: [{ ...me, guardianSaidEnd: true }], dealings: undefined },
    }),
    'child-errors': web.childPage(ada, {
      child: { ...tim, ageBand: 'teen13' },
      values: { guardian: theirs('nobody'), place: undefined },
      errors: {
        guardian: verbatim('This names nobody who can be one.'),
        place: t('family.place-missing'),
      },
    }),
  };
}
