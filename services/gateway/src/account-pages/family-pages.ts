import { t } from '@hearth/i18n';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { type Child as FoundChild, type LinkAsked, PeopleService } from '@hearth/proto/identity/v1/people';
import { type ChildAppAsk, familyPage, paths } from '@hearth/web';
import {
  type Context,
  doneOf,
  frameWithZone,
  ifThere,
  msOf,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
} from '../pages/module.ts';
import { answerApp } from './answer-app.ts';
import { childOf, findChild, findFamily, joinOf, listJoins } from './family.ts';

const doneWords = {
  joined: t('family.done.joined'),
  join_waits: t('family.done.join-waits'),
  join_declined: t('family.done.join-declined'),
  accepted: t('family.done.accepted'),
  declined: t('family.done.declined'),
  handed_over: t('family.done.handed-over'),
  sign_in: t('family.done.grown-sign-in'),
  ended: t('account.guardian-ended'),
};

/** A guardian's children, and the requests about them that need the guardian's decision. */
export function addFamilyPages(context: Context): void {
  const { addOwnPage } = context;
  addOwnPage('family', paths.family, { get: (request) => showFamily(context, request) });
  addOwnPage('family_join', '/family/:id/joins/:invite', { post: (request) => answerJoin(context, request) });
  addOwnPage('family_app', '/family/:id/apps/:app', {
    async post(request) {
      const { person: child, facts } = await findChild(context, request);
      const isAbout = ({ person }: LinkAsked) => person?.id === child!.id;
      return await answerApp(context, request, paths.family, isAbout, { person: facts!.id });
    },
  });
}

async function showFamily(context: Context, request: Own): Promise<PageAnswer> {
  const { children: found, grown } = await findFamily(context, request);
  const [children, joins, asks, frame] = await Promise.all([
    Promise.all(found.map((child) => childOf(context, request, child))),
    ifThere(listJoins(context, request, found)),
    ifThere(context.ask(PeopleService.method.listLinks, {}, request.person)),
    frameWithZone(context, request),
  ]);
  const html = familyPage(frame, {
    children,
    grown,
    joins: joins?.flatMap(joinOf),
    appsAsking: asks?.links.flatMap((link) => appAskOf(link, found)),
    done: doneOf(request, doneWords),
  });
  return { html };
}

function appAskOf({ app, name, askedAt, person }: LinkAsked, children: readonly FoundChild[]): ChildAppAsk[] {
  const about = children.find((child) => child.person?.id === person?.id);
  if (about === undefined) return [];
  const { id, name: childName } = about.person!;
  const child = { id, name: childName, app: about.appName === '' ? undefined : about.appName };
  return [{ app, name, askedAtMs: msOf(askedAt) ?? 0, child }];
}

async function answerJoin(context: Context, request: OwnForm): Promise<PageAnswer> {
  const child = await findChild(context, request);
  const review = {
    code: request.param('invite'),
    decision: request.field('decision'),
    person: child.person!.id,
  };
  const { reviewInvite } = InvitesService.method;
  const { member, waitingFor } = await context.send(reviewInvite, review, request.person);
  if (waitingFor.length > 0) return noticeOn(paths.family, 'join_waits');
  return noticeOn(paths.family, member === undefined ? 'join_declined' : 'joined');
}
