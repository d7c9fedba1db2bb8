import { isHearthError } from '@hearth/errors';
import {
  AcceptInviteRequestSchema,
  type AcceptInviteResponse,
  InviteState,
  JoinStatus,
  PeekInviteRequestSchema,
  type PeekInviteResponse,
} from '@hearth/proto/groups/v1/invites';
import { AgeBandSchema } from '@hearth/proto/identity/v1/resources';
import { RateClass } from '@hearth/proto/options';
import { enumWords } from '@hearth/proto-json';
import {
  type AgeBand,
  type Invite,
  type InviteRefusal,
  invitePage,
  inviteRefusedPage,
  joinedPage,
  paths,
  waitingToJoinPage,
} from '@hearth/web';
import {
  birthOf,
  type FormRequest,
  fieldErrors,
  fieldOf,
  frameWithZone,
  msOf,
  type PageAnswer,
  type PageRequest,
  signInFirst,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';

const fieldsOfPage = { 'guest.name': 'name', 'guest.birth_year_month': 'birth', note: 'note' };

/** For as long as a browser keeps a cookie; the session itself ends when identity says so. */
const guestCookieMs = 400 * 24 * 60 * 60 * 1_000;

/** The page behind an invitation. Its code is a secret: it stands in no query and no log. */
export function addInvitePages(context: PeopleContext): void {
  const { addPage, rates, clock } = context;

  addPage({
    name: 'invite',
    path: '/i/:code',
    opensByLink: true,
    async get(request) {
      await rates.spend(RateClass.PEEK, request.visit.caller, request.exchange);
      if (linksById(request)) return signInFirst(paths.invite(request.params['code'] ?? ''));
      return await show(context, request);
    },
    async post(request) {
      if (linksById(request)) return signInFirst(paths.invite(request.params['code'] ?? ''));
      if (request.visit.person === null) return await show(context, request);
      const note = fieldOf(request, 'note');
      return await join(context, request, { ...noteOf(note) }, { note });
    },
  });

  addPage({
    name: 'invite_guest',
    path: '/i/:code/guest',
    async post(request) {
      // Who is signed in joins as who they are.
      if (request.visit.person !== null) return { goTo: paths.invite(request.params['code'] ?? '') };
      const name = fieldOf(request, 'name');
      const note = fieldOf(request, 'note');
      const birth = birthOf(request.form, clock.now());
      const shown = { values: { name, ...birth.values }, note };
      const errors = { ...(name === '' && { name: 'Tell us a name.' }), ...birth.errors };
      if (Object.keys(errors).length > 0) return await show(context, request, { ...shown, errors });
      const guest = { name, birth_year_month: birth.yearMonth };
      return await join(context, request, { guest, ...noteOf(note) }, shown);
    },
  });
}

/** Notices link to an invite by its id, which is no secret as its code is: it shows nothing before a sign-in. */
function linksById({ params, visit }: PageRequest): boolean {
  return visit.person === null && (params['code'] ?? '').startsWith('inv_');
}

const noteOf = (note: string) => (note === '' ? {} : { note });

async function peek({ peers, reader }: PeopleContext, request: PageRequest): Promise<PeekInviteResponse> {
  const message = reader.readMessage(PeekInviteRequestSchema, { code: request.params['code'] });
  return await peers.invites.peekInvite(message, { caller: request.visit.caller });
}

async function show(
  context: PeopleContext,
  request: PageRequest,
  more: Partial<Invite> = {},
): Promise<PageAnswer> {
  const [peeked, frame] = await Promise.all([peek(context, request), frameWithZone(context.peers, request)]);
  const why = refusalOf(peeked);
  if (why !== undefined) return refused(request, why);
  const html = invitePage(frame, {
    code: request.params['code'] ?? '',
    groupName: peeked.groupName ?? '',
    invitedBy: peeked.invitedBy,
    reusable: peeked.reusable ?? false,
    forAge: (enumWords(AgeBandSchema).wordOf.get(peeked.forAge ?? 0) ?? 'adult') as AgeBand,
    needsReview: peeked.needsReview ?? false,
    expiresAtMs: msOf(peeked.expiresAt) ?? 0,
    guestsMayJoin: true,
    ...more,
  });
  return { html, status: more.errors === undefined ? 200 : 400 };
}

async function join(
  context: PeopleContext,
  request: FormRequest,
  said: Record<string, unknown>,
  shown: Partial<Invite>,
): Promise<PageAnswer> {
  const { peers, reader } = context;
  let accepted: AcceptInviteResponse;
  try {
    const code = request.params['code'];
    const message = reader.readMessage(AcceptInviteRequestSchema, { code, via: 'link', ...said });
    accepted = await peers.invites.acceptInvite(message, { caller: request.visit.caller });
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors !== undefined) return await show(context, request, { ...shown, errors });
    // Somebody else may have been faster; then the page says what became of the invitation.
    if (!isHearthError(error) || !['not_found', 'bad_request'].includes(error.kind)) throw error;
    const why = refusalOf(await peek(context, request));
    if (why === undefined) throw error;
    return refused(request, why);
  }
  return joined(context, request, accepted);
}

function joined(
  { sessions, clock }: PeopleContext,
  { frame, visit }: FormRequest,
  { status, next, sessionToken }: AcceptInviteResponse,
): PageAnswer {
  const begins = sessionToken !== undefined && sessionToken !== '';
  const headers = begins ? sessions.begin(sessionToken, clock.now() + guestCookieMs) : [];
  const html =
    status === JoinStatus.WAITING
      ? waitingToJoinPage(frame, { next })
      : joinedPage(frame, { next, guest: visit.person === null || visit.person.guest });
  return { html, headers };
}

const refusals = new Map<InviteState, InviteRefusal>([
  [InviteState.USED, 'used'],
  [InviteState.EXPIRED, 'expired'],
  [InviteState.REVOKED, 'revoked'],
  [InviteState.FULL, 'full'],
  [InviteState.INVALID, 'invalid'],
]);

/** Why the invitation does not work; undefined while it does. */
function refusalOf({ state }: PeekInviteResponse): InviteRefusal | undefined {
  return state === InviteState.OK ? undefined : (refusals.get(state) ?? 'invalid');
}

function refused({ frame }: PageRequest, why: InviteRefusal): PageAnswer {
  return { html: inviteRefusedPage(frame, { why }), status: why === 'invalid' ? 404 : 410 };
}
