import { ReviewInviteRequestSchema } from '@hearth/proto/groups/v1/invites';
import type { Child as FoundChild, LinkAsked } from '@hearth/proto/identity/v1/people';
import { type ChildAppAsk, familyPage, paths } from '@hearth/web';
import {
  type Asked,
  doneOf,
  type FormRequest,
  fieldOf,
  frameWithZone,
  ifThere,
  msOf,
  type PageAnswer,
  signedIn,
  toldOn,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';
import { childOf, findChild, joinOf, listChildren, listJoins } from './family.ts';

const doneWords = {
  joined: 'Approved: they are in the group now.',
  join_waits: 'Approved. An organizer of the group has to agree as well.',
  join_declined: 'Declined: they do not join.',
  accepted: 'Accepted: the app holds the account now.',
  declined: 'Declined.',
  handed_over: 'You handed the child over.',
  ended: 'The guardianship has ended.',
};

/** The children whom a person looks after, and what waits for the person's word about them. */
export function addFamilyPages(context: PeopleContext): void {
  const { addPage } = context;
  addPage({ name: 'family', path: paths.family, get: signedIn((asked) => showFamily(context, asked)) });
  addPage({
    name: 'family_join',
    path: '/family/:id/joins/:invite',
    post: signedIn<FormRequest>((asked) => answerJoin(context, asked)),
  });
  addPage({
    name: 'family_app',
    path: '/family/:id/apps/:app',
    post: signedIn<FormRequest>((asked) => answerApp(context, asked)),
  });
}

async function showFamily(context: PeopleContext, asked: Asked): Promise<PageAnswer> {
  const { peers } = context;
  const { request, person } = asked;
  const found = await listChildren(context, asked);
  const [children, joins, asks, frame] = await Promise.all([
    Promise.all(found.map((child) => childOf(context, asked, child))),
    ifThere(listJoins(context, asked, found)),
    ifThere(peers.people.listLinks({}, { caller: person })),
    frameWithZone(peers, request),
  ]);
  const html = familyPage(frame, {
    children,
    joins: joins?.flatMap(joinOf),
    appsAsking: asks?.links.flatMap((link) => appAskOf(link, found)),
    done: doneOf(request, doneWords),
  });
  return { html };
}

function appAskOf({ app, name, askedAt, person }: LinkAsked, children: readonly FoundChild[]): ChildAppAsk[] {
  const about = children.find((child) => child.person?.id === person?.id);
  if (about === undefined) return [];
  const child = {
    id: about.person!.id,
    name: about.person!.name,
    app: about.appName === '' ? undefined : about.appName,
  };
  return [{ app, name, askedAtMs: msOf(askedAt) ?? 0, child }];
}

async function answerJoin(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { request, person } = asked;
  const child = await findChild(context, asked);
  const message = reader.readMessage(ReviewInviteRequestSchema, {
    code: request.params['invite'],
    decision: fieldOf(request, 'decision'),
    person: child.person!.id,
  });
  const { member, waitingFor } = await peers.invites.reviewInvite(message, { caller: person });
  if (waitingFor.length > 0) return toldOn(paths.family, 'join_waits');
  return toldOn(paths.family, member === undefined ? 'join_declined' : 'joined');
}

async function answerApp(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers } = context;
  const { request, person: caller } = asked;
  const child = await findChild(context, asked);
  const answer = fieldOf(request, 'answer');
  const { links } = await peers.people.listLinks({}, { caller });
  const asks = links.some(
    ({ app, person }) => app === request.params['app'] && person?.id === child.person!.id,
  );
  // Answered before, or taken back: the page says what is left.
  if (!asks || !['accept', 'decline'].includes(answer)) return { goTo: paths.family };
  const accept = answer === 'accept';
  await peers.people.answerLink({ app: request.params['app']!, accept, person: child.facts!.id }, { caller });
  return toldOn(paths.family, accept ? 'accepted' : 'declined');
}
