import { hash } from 'node:crypto';
import { isHearthError } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { CommonsService, CommonsStatus } from '@hearth/proto/messages/v1/commons';
import { RateClass } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import {
  type Claim,
  type ClaimableAi,
  type ClaimRefusal,
  claimedPage,
  claimPage,
  claimRefusedPage,
  knownScopes,
  notMinePage,
  othersText,
  paths,
} from '@hearth/web';
import {
  aiNameOf,
  type Context,
  type FormRequest,
  fieldErrors,
  findOwnAi,
  frameWithZone,
  ifThere,
  msOf,
  type PageAnswer,
  type PageRequest,
  shown,
} from '../pages/module.ts';

const fieldsOfPage = { permissions: 'scope', group: 'group' };

/** The page of the claim link that an AI gives to its person. The token is secret: keep it out of queries and logs. */
export function addClaimPages(context: Context): void {
  const { addOwnPage, addPage, ask, send, rates } = context;

  async function find(request: PageRequest): Promise<ClaimableAi | null> {
    const key = { hash: hash('sha256', request.param('token'), 'buffer') };
    const { ai, createdAt, description } = await ask(AisService.method.findClaim, key, request.visit.caller);
    if (ai === undefined) return null;
    const vouched = ai.status === AiStatus.VOUCHED;
    const did = await didInPublic(ai.address);
    return { ...aiNameOf(ai), signedUpAtMs: msOf(createdAt) ?? 0, description, vouched, did };
  }

  /** The AI's posts in the Commons: nothing else that it does is public. */
  async function didInPublic(by: string): Promise<ClaimableAi['did']> {
    const listed = await Promise.all(
      [CommonsStatus.OPEN, CommonsStatus.CLOSED].map((status) =>
        ifThere(ask(CommonsService.method.listCommons, { by, status, limit: 5 }, anonymous)),
      ),
    );
    return listed
      .flatMap((page) => page?.posts ?? [])
      .map(({ at, title, text }) => ({
        atMs: msOf(at) ?? 0,
        words: t('claim.posted', { title: othersText(title ?? text, 140) }),
      }))
      .toSorted((one, other) => other.atMs - one.atMs)
      .slice(0, 5);
  }

  async function show(request: PageRequest, more: Partial<Claim> = {}): Promise<PageAnswer> {
    const [ai, groups, frame] = await Promise.all([
      find(request),
      groupsOf(request),
      frameWithZone(context, request),
    ]);
    if (ai === null) return refused(request, 'unknown');
    return shown(claimPage(frame, { token: request.param('token'), ai, groups, ...more }), more);
  }

  /** The person's groups; none if their service is unavailable, since the AI can be added to a group later. */
  async function groupsOf({ visit: { person } }: PageRequest): Promise<Claim['groups']> {
    if (person === null || person.guest) return [];
    const listed = await ifThere(ask(GroupsService.method.listGroups, { limit: 100 }, person));
    // Groups with the same name are told apart by address.
    return (listed?.groups ?? []).map(({ id, name, address }, _, all) => ({
      id,
      name: all.some((other) => other.name === name && other.id !== id) ? `${name} (${address})` : name,
    }));
  }

  async function claim(request: FormRequest): Promise<PageAnswer> {
    const { person } = request.visit;
    if (person === null || person.guest) return await show(request);
    const scopes = knownScopes(request.form.getAll('scope'));
    const ownerPrivate = request.field('private') === 'yes';
    const group = request.field('group');
    const again = (errors: Claim['errors']) =>
      show(request, { values: { scopes, ownerPrivate, group }, errors });
    if (scopes.length === 0) return await again({ scope: t('claim.permissions-missing') });
    const wanted = {
      token: request.param('token'),
      permissions: scopes,
      owner_private: ownerPrivate,
      ...(group !== '' && { group }),
    };
    try {
      const ai = await send(AisService.method.claimAi, wanted, person);
      return { goTo: paths.claimed(ai.id) };
    } catch (error) {
      const errors = fieldErrors(error, fieldsOfPage);
      if (errors !== undefined) return await again(errors);
      const why = refusalOf(error);
      if (why === undefined) throw error;
      // `not_found` may be about the group rather than the link.
      if (why !== 'unknown' || (await find(request)) === null) return refused(request, why);
      return await again({ group: t('claim.group-gone') });
    }
  }

  addPage('claim', '/claim/:token', {
    async get(request) {
      await rates.spend(RateClass.PEEK, request.visit.caller, request.exchange);
      return await show(request);
    },
    post: claim,
  });
  addPage('claim_not_mine', '/claim/:token/not-mine', {
    post: ({ frame }) => ({ html: notMinePage(frame) }),
  });
  addOwnPage('claimed', '/ais/:id/claimed', {
    async get(request) {
      const owned = await findOwnAi(context, request.person, request.param('id'));
      const undoUntilMs = owned?.ai.undoUntilMs;
      if (owned === null || undoUntilMs === undefined) return { goTo: paths.ais };
      return { html: claimedPage(await frameWithZone(context, request), { ai: owned.ai, undoUntilMs }) };
    },
  });
}

const statusOf: Readonly<Record<ClaimRefusal, number>> = {
  unknown: 404,
  used: 410,
  too_many: 429,
  minor: 403,
  own: 400,
};

function refused({ frame }: PageRequest, why: ClaimRefusal): PageAnswer {
  return { html: claimRefusedPage(frame, { why }), status: statusOf[why] };
}

/** The reason why the link does not work; undefined for any other error. */
function refusalOf(error: unknown): ClaimRefusal | undefined {
  if (!isHearthError(error)) return undefined;
  const { kind, details } = error;
  if (kind === 'not_found') return 'unknown';
  if (kind === 'rate_limited' && details.limit?.startsWith('claims')) return 'too_many';
  return details.code === 'guardian_needed' ? 'minor' : undefined;
}
