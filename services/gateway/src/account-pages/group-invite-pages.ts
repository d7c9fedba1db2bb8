import { enumNames } from '@hearth/enum-names';
import type { HearthError } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { GroupsService, Minors } from '@hearth/proto/groups/v1/groups';
import {
  type Invite,
  InviteDeliverySchema,
  InviteStatusSchema,
  InvitesService,
} from '@hearth/proto/groups/v1/invites';
import {
  type AgeBand,
  type GroupInvites,
  groupInvitesPage,
  inviteDeliveries,
  inviteEnds,
  inviteStatuses,
  type JustInvited,
  type MadeInvite,
  oneOf,
  paths,
} from '@hearth/web';
import {
  type Context,
  doneOf,
  errorWords,
  frameWithZone,
  msOf,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
  type Refusal,
  shown,
  unlessRefused,
} from '../pages/module.ts';

const doneWords = { ended: t('invites.done.ended') };
const fieldsOfPage = { to: 'to', invitee: 'invitee', for_age: 'for_age' };
const pageSize = 20;

/** A group's invites: organizers create and revoke them, and see where each recipient's rules placed theirs. */
export function addGroupInvitePages(context: Context): void {
  const { addOwnPage, send } = context;
  addOwnPage('group_invites', '/g/:handle/invites', {
    get: (request) => show(context, request),
    post: (request) => make(context, request),
  });
  addOwnPage('group_invite_end', '/g/:handle/invites/:id/end', {
    async post(request) {
      const end = async () => {
        await send(InvitesService.method.revokeInvite, { code: request.param('id') }, request.person);
        return noticeOn(paths.groupInvites(request.param('handle')), 'ended');
      };
      return await unlessRefused({}, end, (wrong) => show(context, request, wrong));
    },
  });
}

async function show(context: Context, request: Own, more: Partial<GroupInvites> = {}): Promise<PageAnswer> {
  const { send } = context;
  const { person } = request;
  const handle = request.param('handle');
  const id = `&${handle}`;
  const older = request.query.get('older') ?? '';
  const wanted = { id, limit: pageSize, ...(older !== '' && { cursor: older }) };
  const [group, listed, frame] = await Promise.all([
    send(GroupsService.method.getGroup, { id }, person),
    send(InvitesService.method.listInvites, wanted, person),
    frameWithZone(context, request),
  ]);
  // An archived group takes no new members, and its page says so.
  if (group.archived) return { goTo: paths.group(handle) };
  const html = groupInvitesPage(frame, {
    groupName: group.name,
    handle,
    forAges: agesOf(group.settings?.minors),
    attempt: context.ids.uuid(),
    invites: listed.invites.map(inviteView),
    olderCursor: listed.nextCursor || undefined,
    isOlder: older !== '',
    done: doneOf(request, doneWords),
    ...more,
  });
  return shown(html, more);
}

/** The ages that a group accepts: adults only, or every age if its rules for minors allow that. */
function agesOf(minors: Minors | undefined): readonly AgeBand[] {
  switch (minors) {
    case Minors.GUARDIAN:
    case Minors.TEENS:
      return ['adult', 'teen16', 'teen13', 'child'];
    default:
      return ['adult'];
  }
}

function inviteView(invite: Invite): MadeInvite {
  const { id, invitee, reusable, why, expiresAt, uses, maxUses, waiting } = invite;
  return {
    ...{ id, invitee, reusable, uses, maxUses },
    status: oneOf(inviteStatuses, enumNames(InviteStatusSchema).nameOf(invite.status)) ?? 'waiting',
    why: oneOf(inviteEnds, why),
    delivery: deliveryOf(invite),
    expiresAtMs: msOf(expiresAt) ?? 0,
    waiting: waiting.map(({ person }) => person?.name ?? ''),
  };
}

function deliveryOf({ delivery }: Invite): MadeInvite['delivery'] {
  return oneOf(inviteDeliveries, enumNames(InviteDeliverySchema).nameOf(delivery ?? 0));
}

async function make(context: Context, request: OwnForm): Promise<PageAnswer> {
  const [to, invitee, for_age] = ['to', 'invitee', 'for_age'].map((name) => request.field(name));
  const reusable = request.field('reusable') === 'yes';
  const wanted = {
    id: `&${request.param('handle')}`,
    ...request.given('to', 'invitee', 'for_age'),
    reusable,
    ...request.given({ request_id: 'attempt' }),
  };
  const more = await unlessRefused<Partial<GroupInvites>, Partial<GroupInvites>>(
    fieldsOfPage,
    async () => ({
      made: madeOf(await context.send(InvitesService.method.createInvite, wanted, request.person), to !== ''),
    }),
    (wrong) => ({ values: { to, invitee, for_age, reusable }, ...wrong }),
    (error) => refusalOfAddress(error, to !== ''),
  );
  return await show(context, request, more);
}

/** Refusals of the invited address. If the group itself is gone, showing the page again says so. */
function refusalOfAddress(error: HearthError, isGiven: boolean): Refusal | undefined {
  if (!isGiven) return undefined;
  if (error.kind === 'not_found') return { errors: { to: t('invites.to-unknown') } };
  return error.details.code === 'turned_away' ? { errors: { to: errorWords(error) } } : undefined;
}

/** A sent invite without a delivery in this home went by email. */
function madeOf(invite: Invite, sent: boolean): JustInvited {
  const { url = '', reusable } = invite;
  return { url, reusable, delivery: deliveryOf(invite) ?? (sent ? 'mail' : undefined) };
}
