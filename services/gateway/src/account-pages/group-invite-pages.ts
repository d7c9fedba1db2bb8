import { isHearthError } from '@hearth/errors';
import { GetGroupRequestSchema, Minors } from '@hearth/proto/groups/v1/groups';
import {
  CreateInviteRequestSchema,
  type Invite,
  InviteDeliverySchema,
  InviteStatusSchema,
  ListInvitesRequestSchema,
  RevokeInviteRequestSchema,
} from '@hearth/proto/groups/v1/invites';
import { enumWords } from '@hearth/proto-json';
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
  type Asked,
  doneOf,
  type FormRequest,
  fieldErrors,
  fieldOf,
  frameWithZone,
  msOf,
  type PageAnswer,
  type PageRequest,
  sentence,
  signedIn,
  toldOn,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';

const doneWords = { ended: 'It was taken back: nobody can join by it any more.' };
const fieldsOfPage = { to: 'to', invitee: 'invitee', for_age: 'for_age' };
const pageSize = 20;

/** The invites into a group, which its organizers make and take back; how each reached whom it was for. */
export function addGroupInvitePages(context: PeopleContext): void {
  const { addPage, peers, reader } = context;

  addPage({
    name: 'group_invites',
    path: '/g/:handle/invites',
    get: signedIn((asked) => show(context, asked)),
    post: signedIn<FormRequest>((asked) => make(context, asked)),
  });

  addPage({
    name: 'group_invite_end',
    path: '/g/:handle/invites/:id/end',
    post: signedIn<FormRequest>(async ({ request, person }) => {
      const message = reader.readMessage(RevokeInviteRequestSchema, { code: request.params['id'] });
      await peers.invites.revokeInvite(message, { caller: person });
      return toldOn(paths.groupInvites(handleOf(request)), 'ended');
    }),
  });
}

const handleOf = ({ params }: PageRequest) => params['handle'] ?? '';

async function show(
  { peers, reader }: PeopleContext,
  { request, person }: Asked,
  more: Partial<GroupInvites> = {},
): Promise<PageAnswer> {
  const id = `&${handleOf(request)}`;
  const older = request.query.get('older') ?? '';
  const asked = { id, limit: pageSize, ...(older !== '' && { cursor: older }) };
  const [group, listed, frame] = await Promise.all([
    peers.groups.getGroup(reader.readMessage(GetGroupRequestSchema, { id }), { caller: person }),
    peers.invites.listInvites(reader.readMessage(ListInvitesRequestSchema, asked), { caller: person }),
    frameWithZone(peers, request),
  ]);
  const html = groupInvitesPage(frame, {
    groupName: group.name,
    handle: handleOf(request),
    forAges: agesOf(group.settings?.minors),
    invites: listed.invites.map(inviteView),
    olderCursor: listed.nextCursor || undefined,
    isOlder: older !== '',
    done: doneOf(request, doneWords),
    ...more,
  });
  return { html, status: more.errors === undefined ? 200 : 400 };
}

/** Whom a group may take: adults, or everybody, by the words and yeses that it needs for them. */
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
    status: oneOf(inviteStatuses, enumWords(InviteStatusSchema).wordOf.get(invite.status)) ?? 'waiting',
    why: oneOf(inviteEnds, why),
    delivery: deliveryOf(invite),
    expiresAtMs: msOf(expiresAt) ?? 0,
    waiting: waiting.map(({ person }) => person?.name ?? ''),
  };
}

function deliveryOf({ delivery }: Invite): MadeInvite['delivery'] {
  return oneOf(inviteDeliveries, enumWords(InviteDeliverySchema).wordOf.get(delivery ?? 0));
}

async function make(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { request, person } = asked;
  const [to, invitee, for_age] = ['to', 'invitee', 'for_age'].map((name) => fieldOf(request, name));
  const reusable = fieldOf(request, 'reusable') === 'yes';
  const values = { to, invitee, for_age, reusable };
  try {
    const message = reader.readMessage(CreateInviteRequestSchema, {
      id: `&${handleOf(request)}`,
      ...(to !== '' && { to }),
      ...(invitee !== '' && { invitee }),
      ...(for_age !== '' && { for_age }),
      reusable,
    });
    const invite = await peers.invites.createInvite(message, { caller: person });
    return await show(context, asked, { made: madeOf(invite, to !== '') });
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage) ?? refusalOfAddress(error, to !== '');
    if (errors === undefined) throw error;
    return await show(context, asked, { values, errors });
  }
}

/** Where the group itself is not there, or not theirs, the page says so when it is shown again. */
function refusalOfAddress(error: unknown, isGiven: boolean): GroupInvites['errors'] | undefined {
  if (!isGiven || !isHearthError(error)) return undefined;
  if (error.kind === 'not_found') return { to: 'There is nobody here with this address.' };
  return error.details.code === 'turned_away' ? { to: sentence(error.message) } : undefined;
}

/** What was sent to somebody, and says of nobody here how it reached them, goes by e-mail. */
function madeOf(invite: Invite, sent: boolean): JustInvited {
  const { url = '', reusable } = invite;
  return { url, reusable, delivery: deliveryOf(invite) ?? (sent ? 'mail' : undefined) };
}
