import { day } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { t } from '@hearth/i18n';
import {
  type AcceptInviteResponse,
  InviteState,
  InvitesService,
  JoinStatus,
  type PeekInviteResponse,
} from '@hearth/proto/groups/v1/invites';
import { AgeBand, AgeBandSchema } from '@hearth/proto/identity/v1/resources';
import { RateClass } from '@hearth/proto/options';
import type { JsonRecord } from '@hearth/proto-json';
import {
  type AgeBand as AgeBandName,
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
  type Context,
  errorWords,
  type FormRequest,
  fieldErrors,
  frameWithZone,
  ifThere,
  msOf,
  nameOf,
  nextWords,
  noticeOn,
  type PageAnswer,
  type PageRequest,
  shown,
  signInFirst,
} from '../pages/module.ts';
import { listChildren } from './family.ts';

const { peekInvite, acceptInvite, findJoinRequest, withdrawJoin } = InvitesService.method;

const fieldsOfPage = { 'guest.name': 'name', 'guest.birth_year_month': 'birth', note: 'note' };

/** As long as browsers keep a cookie; the session itself ends when identity says so. */
const guestCookieMs = 400 * day;

/** The page of an invite. Its code is secret: keep it out of queries and logs. */
export function addInvitePages(context: Context): void {
  const { addPage, rates, clock } = context;

  addPage('invite', '/i/:code', {
    opensByLink: true,
    async get(request) {
      await rates.spend(RateClass.PEEK, request.visit.caller, request.exchange);
      return linksById(request) ? signInFirst(paths.invite(codeOf(request))) : await show(context, request);
    },
    async post(request) {
      if (linksById(request)) return signInFirst(paths.invite(codeOf(request)));
      if (request.visit.person === null) return await show(context, request);
      const note = request.field('note');
      const child = request.field('for');
      const said = { ...noteOf(note), ...(child !== '' && { for: child }) };
      return await join(context, request, said, { note, joiner: child });
    },
  });

  addPage('invite_withdraw', '/i/:code/withdraw', {
    async post(request) {
      const { person } = request.visit;
      if (person === null) return signInFirst(paths.invite(codeOf(request)));
      await context.send(withdrawJoin, { code: codeOf(request) }, person);
      return noticeOn(paths.groups, 'withdrawn');
    },
  });

  addPage('invite_guest', '/i/:code/guest', {
    async post(request) {
      // A person who is signed in joins as themselves.
      if (request.visit.person !== null) return { goTo: paths.invite(codeOf(request)) };
      const name = request.field('name');
      const note = request.field('note');
      const birth = birthOf(request.form, clock.now());
      const model = { values: { name, ...birth.values }, note };
      const errors = { ...(name === '' && { name: t('sign-in.name-missing') }), ...birth.errors };
      if (Object.keys(errors).length > 0) return await show(context, request, { ...model, errors });
      const { zone } = request.frame;
      const guest = {
        name,
        birth_year_month: birth.yearMonth,
        ...(zone !== undefined && { time_zone: zone }),
      };
      return await join(context, request, { guest, ...noteOf(note) }, model);
    },
  });
}

const codeOf = (request: PageRequest) => request.param('code');

/** Notices link to an invite by its id, which, unlike its code, is no secret: it shows nothing before a sign-in. */
function linksById(request: PageRequest): boolean {
  return request.visit.person === null && /^(?:inv_|r:)/.test(codeOf(request));
}

const noteOf = (note: string) => (note === '' ? {} : { note });

async function peek({ send }: Context, request: PageRequest): Promise<PeekInviteResponse> {
  return await send(peekInvite, { code: codeOf(request) }, request.visit.caller);
}

async function show(context: Context, request: PageRequest, more: Partial<Invite> = {}): Promise<PageAnswer> {
  const { person } = request.visit;
  // Other homes learn nothing about children.
  const guards = person !== null && !person.guest && !person.minor && !codeOf(request).startsWith('r:');
  const [peeked, frame, children] = await Promise.all([
    peek(context, request),
    frameWithZone(context, request),
    guards ? ifThere(listChildren(context, { ...request, person })) : [],
  ]);
  const why = refusalOf(peeked);
  if (why !== undefined) return refused(request, why);
  const code = codeOf(request);
  // Guardians may also have a child join, so their own pending request does not replace the form.
  const asked =
    person === null || (children ?? []).length > 0
      ? null
      : await context.ask(findJoinRequest, { code }, person);
  if (asked?.status === JoinStatus.WAITING)
    return { html: waitingToJoinPage(frame, { next: nextWords(asked), code }) };
  const ages = peeked.forAges.length > 0 ? peeked.forAges : [peeked.forAge ?? AgeBand.ADULT];
  const forAges = ages.map(bandIn);
  const html = invitePage(frame, {
    code,
    groupName: peeked.groupName ?? '',
    invitedBy: peeked.invitedBy,
    reusable: peeked.reusable ?? false,
    forAges,
    fits: person === null || fitsAge(person, forAges),
    needsReview: peeked.needsReview ?? false,
    expiresAtMs: msOf(peeked.expiresAt) ?? 0,
    children:
      children?.map(({ person: child }) => ({
        ...{ id: child!.id, name: child!.name },
        fits: forAges.includes(bandIn(child!.ageBand)),
      })) ?? [],
    ...more,
  });
  return shown(html, more);
}

const bandIn = (band: AgeBand) => nameOf<AgeBandName>(AgeBandSchema, band, 'adult');

/** A minor's exact age band is checked when they join. */
const fitsAge = ({ minor }: { minor: boolean }, forAges: readonly AgeBandName[]) =>
  minor ? forAges.some((age) => age !== 'adult') : forAges.includes('adult');

async function join(
  context: Context,
  request: FormRequest,
  said: JsonRecord,
  model: Partial<Invite>,
): Promise<PageAnswer> {
  let accepted: AcceptInviteResponse;
  try {
    const wanted = { code: codeOf(request), via: 'link', ...said };
    accepted = await context.send(acceptInvite, wanted, request.visit.caller);
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors !== undefined) return await show(context, request, { ...model, errors });
    // Another person may have used the invite first; the page then shows its state.
    if (!isHearthError(error) || !['not_found', 'bad_request'].includes(error.kind)) throw error;
    const why = refusalOf(await peek(context, request));
    if (why !== undefined) return refused(request, why);
    if (error.kind !== 'bad_request') throw error;
    // A person with an account and a guardian waits for the guardian's consent; anyone else is told what to
    // do.
    const { person } = request.visit;
    const isVisitor = person === null || person.guest;
    if (error.details.code === 'guardian_needed' && isVisitor && said['for'] === undefined) {
      const guardianLink = `${context.config.siteUrl}${paths.invite(codeOf(request))}`;
      return await show(context, request, { guardianLink });
    }
    return await show(context, request, { ...model, refused: errorWords(error) });
  }
  return joined(context, request, accepted, said['for'] !== undefined);
}

function joined(
  { sessions, clock }: Context,
  request: FormRequest,
  answer: AcceptInviteResponse,
  child: boolean,
): PageAnswer {
  const { frame, visit } = request;
  const { group = '', status, sessionToken } = answer;
  const next = nextWords(answer);
  const begins = sessionToken !== undefined && sessionToken !== '';
  const headers = begins ? sessions.begin(sessionToken, clock.now() + guestCookieMs) : [];
  const guest = visit.person === null || visit.person.guest;
  const waits = status === JoinStatus.WAITING;
  const code = visit.person === null || child ? undefined : codeOf(request);
  return {
    html: waits ? waitingToJoinPage(frame, { next, code }) : joinedPage(frame, { next, group, guest, child }),
    headers,
  };
}

const refusals = new Map<InviteState, InviteRefusal>([
  [InviteState.USED, 'used'],
  [InviteState.EXPIRED, 'expired'],
  [InviteState.REVOKED, 'revoked'],
  [InviteState.FULL, 'full'],
  [InviteState.INVALID, 'invalid'],
]);

/** Why the invite does not work; undefined while it does. */
function refusalOf({ state }: PeekInviteResponse): InviteRefusal | undefined {
  return state === InviteState.OK ? undefined : (refusals.get(state) ?? 'invalid');
}

function refused({ frame }: PageRequest, why: InviteRefusal): PageAnswer {
  return { html: inviteRefusedPage(frame, { why }), status: why === 'invalid' ? 404 : 410 };
}
