import { printId } from '@hearth/ids';
import { Role } from '@hearth/proto/groups/v1/groups';
import { type LinkAsked, UpdatePersonRequestSchema } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { type Account, type AppAsk, accountPage, paths } from '@hearth/web';
import {
  type Asked,
  doneOf,
  type FormRequest,
  fieldErrors,
  fieldOf,
  ifThere,
  msOf,
  type PageAnswer,
  signedIn,
  toldOn,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';
import { listChildren, listJoins } from './family.ts';
import { accountOf, findAccount, frameOfAccount } from './own-account.ts';

const doneWords = {
  saved: 'Saved.',
  kept: 'Your account stays.',
  said: 'Noted: you said that the guardianship shall end.',
  ended: 'The guardianship has ended.',
  accepted: 'Accepted: the app holds your account now.',
  declined: 'Declined.',
  sign_in: 'From now on you can sign in with it.',
};

const fieldsOfPage = { name: 'name', handle: 'handle', time_zone: 'time_zone' };

/** A person's own account: who they are, who may act for them, how they sign in. */
export function addAccountPages(context: PeopleContext): void {
  const { addPage, peers } = context;

  addPage({
    name: 'me',
    path: paths.me,
    get: signedIn((asked) => showAccount(context, asked)),
    post: signedIn<FormRequest>((asked) => changeAccount(context, asked)),
  });
  addPage({
    name: 'me_keep',
    path: paths.keepMe,
    post: signedIn<FormRequest>(async ({ person }) => {
      await peers.people.keepAccount({ id: 'me' }, { caller: person });
      return toldOn(paths.me, 'kept');
    }),
  });
  addPage({
    name: 'me_guardian_end',
    path: paths.endMyGuardianship,
    post: signedIn<FormRequest>(async ({ person }) => {
      const { ended } = await peers.people.endGuardian({ id: 'me' }, { caller: person });
      return toldOn(paths.me, ended ? 'ended' : 'said');
    }),
  });
  addPage({
    name: 'me_app',
    path: '/me/apps/:app',
    post: signedIn<FormRequest>((asked) => answerApp(context, asked)),
  });
}

async function showAccount(
  context: PeopleContext,
  asked: Asked,
  more: Partial<Account> = {},
): Promise<PageAnswer> {
  const [account, waiting, organizes] = await Promise.all([
    findAccount(context, asked),
    whatWaits(context, asked),
    organizedGroups(context, asked),
  ]);
  const html = accountPage(frameOfAccount(asked, account), {
    ...accountOf(context, asked, account),
    ...waiting,
    organizes,
    done: doneOf(asked.request, doneWords),
    ...more,
  });
  return { html, status: more.errors === undefined ? 200 : 400 };
}

const mostGroups = 100;

/** Those into which the person may invite others. */
async function organizedGroups({ peers }: PeopleContext, { person }: Asked): Promise<Account['organizes']> {
  const listed = await ifThere(peers.groups.listGroups({ limit: mostGroups }, { caller: person }));
  return listed?.groups
    .filter(({ yourRole, archived }) => yourRole === Role.ORGANIZER && !archived)
    .map(({ address, name }) => ({ handle: address.replace(/^&/, ''), name }));
}

/** The apps that ask for the account, and how much waits for the person's word about their children. */
async function whatWaits(
  context: PeopleContext,
  asked: Asked,
): Promise<Pick<Account, 'appsAsking' | 'familyWaits'>> {
  const { people } = context.peers;
  const { person } = asked;
  const [listed, children] = await Promise.all([
    ifThere(people.listLinks({}, { caller: person })),
    ifThere(listChildren(context, asked)),
  ]);
  const joins = await ifThere(listJoins(context, asked, children ?? []));
  const own = listed?.links
    .filter((link) => isAbout(link, person))
    .map(({ app, name, askedAt }): AppAsk => ({ app, name, askedAtMs: msOf(askedAt) ?? 0 }));
  const forChildren = (listed?.links.length ?? 0) - (own?.length ?? 0);
  return { appsAsking: own, familyWaits: forChildren + (joins?.length ?? 0) };
}

async function changeAccount(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { request, person } = asked;
  const { name, handle, timeZone } = (await findAccount(context, asked)).facts!;
  const wanted = {
    name: fieldOf(request, 'name'),
    // The field is not there while the handle cannot change.
    ...(request.form.has('handle') && { handle: handleOf(fieldOf(request, 'handle')) }),
    time_zone: fieldOf(request, 'time_zone'),
  };
  const again = (errors: Account['errors']) => showAccount(context, asked, { values: wanted, errors });
  if (wanted.time_zone === '') return await again({ time_zone: 'Please choose a city near you.' });
  try {
    const message = reader.readMessage(UpdatePersonRequestSchema, {
      id: 'me',
      ...(wanted.name !== name && { name: wanted.name }),
      ...(wanted.handle !== undefined && wanted.handle !== handle && { handle: wanted.handle }),
      ...(wanted.time_zone !== timeZone && { time_zone: wanted.time_zone }),
    });
    await peers.people.updatePerson(message, { caller: person });
    return toldOn(paths.me, 'saved');
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors === undefined) throw error;
    return await again(errors);
  }
}

/** A handle as it was typed, with its @ and capitals or without. */
function handleOf(typed: string): string {
  return typed.replace(/^@/, '').toLowerCase();
}

async function answerApp({ peers }: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { request, person } = asked;
  const answer = fieldOf(request, 'answer');
  const { links } = await peers.people.listLinks({}, { caller: person });
  const asks = links.some((link) => link.app === request.params['app'] && isAbout(link, person));
  // Answered before, or taken back: the page says what is left.
  if (!asks || !['accept', 'decline'].includes(answer)) return { goTo: paths.me };
  const accept = answer === 'accept';
  await peers.people.answerLink({ app: request.params['app']!, accept }, { caller: person });
  return toldOn(paths.me, accept ? 'accepted' : 'declined');
}

/** Whether an app asks for the account of that very person, and not for that of a child. */
function isAbout({ person }: LinkAsked, { id }: Caller): boolean {
  return person?.id === printId('per', id);
}
