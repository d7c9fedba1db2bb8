import { t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { GroupsService, Role } from '@hearth/proto/groups/v1/groups';
import { type LinkAsked, PeopleService } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { type Account, type AppAsk, accountPage, paths } from '@hearth/web';
import {
  type Context,
  doneOf,
  ifThere,
  msOf,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
  shown,
  submit,
} from '../pages/module.ts';
import { answerApp } from './answer-app.ts';
import { listChildren, listJoins } from './family.ts';
import { accountOf, findAccount, findSignIns, frameOfAccount } from './own-account.ts';

const { keepAccount, endGuardian, listLinks, updatePerson } = PeopleService.method;

const doneWords = {
  saved: t('account.saved'),
  kept: t('deletion.kept'),
  said: t('account.guardian-end-noted'),
  ended: t('account.guardian-ended'),
  accepted: t('account.app-accepted'),
  declined: t('account.app-declined'),
  app_left: t('account.app-left'),
  sign_in: t('account.sign-in-added'),
  session_ended: t('account.session-ended'),
  sessions_ended: t('account.sessions-ended'),
  passkey_removed: t('account.passkey-removed'),
};

const fieldsOfPage = { name: 'name', handle: 'handle', time_zone: 'time_zone', language: 'language' };

/** A person's own account: their name and handle, who may act for them, how they sign in. */
export function addAccountPages(context: Context): void {
  const { addOwnPage, ask } = context;
  addOwnPage('me', paths.me, {
    get: (request) => showAccount(context, request),
    post: (request) => changeAccount(context, request),
  });
  addOwnPage('me_keep', paths.keepMe, {
    async post({ person }) {
      await ask(keepAccount, { id: 'me' }, person);
      return noticeOn(paths.me, 'kept');
    },
  });
  addOwnPage('me_guardian_end', paths.endMyGuardianship, {
    async post({ person }) {
      const { ended } = await ask(endGuardian, { id: 'me' }, person);
      return noticeOn(paths.me, ended ? 'ended' : 'said');
    },
  });
  addOwnPage('me_app', '/me/apps/:app', {
    post: (request) => answerApp(context, request, paths.me, (link) => isAbout(link, request.person)),
  });
}

async function showAccount(context: Context, request: Own, more: Partial<Account> = {}): Promise<PageAnswer> {
  const [account, signIns, waiting, organizes] = await Promise.all([
    findAccount(context, request),
    findSignIns(context, request),
    findWaiting(context, request),
    organizedGroups(context, request),
  ]);
  const model = { ...accountOf(context, request, account, signIns), ...waiting, organizes };
  const done = doneOf(request, doneWords);
  return shown(accountPage(frameOfAccount(context, request, account), { ...model, done, ...more }), more);
}

const mostGroups = 100;

/** The groups to which the person may invite others. */
async function organizedGroups({ ask }: Context, { person }: Own): Promise<Account['organizes']> {
  const listed = await ifThere(ask(GroupsService.method.listGroups, { limit: mostGroups }, person));
  return listed?.groups
    .filter(({ yourRole, archived }) => yourRole === Role.ORGANIZER && !archived)
    .map(({ address, name }) => ({ handle: address.replace(/^&/, ''), name }));
}

/** The apps that ask for the account, and the number of requests about the person's children. */
async function findWaiting(
  context: Context,
  request: Own,
): Promise<Pick<Account, 'appsAsking' | 'familyWaits'>> {
  const { person } = request;
  const [listed, children] = await Promise.all([
    ifThere(context.ask(listLinks, {}, person)),
    ifThere(listChildren(context, request)),
  ]);
  const joins = await ifThere(listJoins(context, request, children ?? []));
  const own = listed?.links
    .filter((link) => isAbout(link, person))
    .map(({ app, name, askedAt }): AppAsk => ({ app, name, askedAtMs: msOf(askedAt) ?? 0 }));
  const forChildren = (listed?.links.length ?? 0) - (own?.length ?? 0);
  return { appsAsking: own, familyWaits: forChildren + (joins?.length ?? 0) };
}

async function changeAccount(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { name, handle, timeZone, language } = (await findAccount(context, request)).facts!;
  const values = {
    name: request.field('name'),
    // The form has no field while the handle cannot change.
    ...(request.form.has('handle') && { handle: handleOf(request.field('handle')) }),
    time_zone: request.field('time_zone'),
    // The form has no such field if the home has only one language.
    language: request.form.has('language') ? request.field('language') : language,
  };
  const again = (errors: Account['errors']) => showAccount(context, request, { values, errors });
  if (values.time_zone === '') return await again({ time_zone: t('time-zones.missing') });
  const changes = {
    ...(values.name !== name && { name: values.name }),
    ...(values.handle !== undefined && values.handle !== handle && { handle: values.handle }),
    ...(values.time_zone !== timeZone && { time_zone: values.time_zone }),
    ...(values.language !== language && { language: values.language }),
  };
  const save = async () => {
    await context.send(updatePerson, { id: 'me', ...changes }, request.person);
    return noticeOn(paths.me, 'saved');
  };
  return await submit(fieldsOfPage, save, again);
}

/** The handle in a typed text: without its @, in lower case. */
function handleOf(typed: string): string {
  return typed.replace(/^@/, '').toLowerCase();
}

/** Whether an app asks for the account of this person rather than of a child. */
function isAbout({ person }: LinkAsked, { id }: Caller): boolean {
  return person?.id === printId('per', id);
}
