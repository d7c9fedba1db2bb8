import { createHash } from 'node:crypto';
import { isHearthError } from '@hearth/errors';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { ClaimAiRequestSchema } from '@hearth/proto/identity/v1/ais';
import { RateClass } from '@hearth/proto/options';
import {
  type Claim,
  type ClaimableAi,
  type ClaimRefusal,
  claimedPage,
  claimPage,
  claimRefusedPage,
  knownScopes,
  notMinePage,
  paths,
} from '@hearth/web';
import {
  aiNameOf,
  type FormRequest,
  fieldErrors,
  fieldOf,
  findOwnAi,
  frameWithZone,
  ifThere,
  msOf,
  type PageAnswer,
  type PageRequest,
  signedIn,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';

const fieldsOfPage = { permissions: 'scope', group: 'group' };

/** The page behind the link that an AI gives to its person. The token is a secret: it stands in no query and no log. */
export function addClaimPages({ addPage, peers, reader, rates }: PeopleContext): void {
  async function find(request: PageRequest): Promise<ClaimableAi | null> {
    const { visit, params } = request;
    const hash = createHash('sha256')
      .update(params['token'] ?? '')
      .digest();
    const { ai, createdAt, description } = await peers.ais.findClaim({ hash }, { caller: visit.caller });
    if (ai === undefined) return null;
    const vouched = ai.status === AiStatus.VOUCHED;
    // The Commons is where an AI acts in public; until it is built there is nothing of that kind to tell.
    return { ...aiNameOf(ai), signedUpAtMs: msOf(createdAt) ?? 0, description, vouched, did: [] };
  }

  async function show(request: PageRequest, more: Partial<Claim> = {}): Promise<PageAnswer> {
    const [ai, groups, frame] = await Promise.all([
      find(request),
      groupsOf(request),
      frameWithZone(peers, request),
    ]);
    if (ai === null) return refused(request, 'unknown');
    const html = claimPage(frame, { token: request.params['token'] ?? '', ai, groups, ...more });
    return { html, status: more.errors === undefined ? 200 : 400 };
  }

  /** Those of the person; none while their service does not answer: the AI can be put into one later. */
  async function groupsOf({ visit: { person } }: PageRequest): Promise<Claim['groups']> {
    if (person === null || person.guest) return [];
    const listed = await ifThere(peers.groups.listGroups({ limit: 100 }, { caller: person }));
    return (listed?.groups ?? []).map(({ id, name }) => ({ id, name }));
  }

  async function claim(request: FormRequest): Promise<PageAnswer> {
    const { person } = request.visit;
    if (person === null || person.guest) return await show(request);
    const values = {
      scopes: knownScopes(request.form.getAll('scope')),
      ownerPrivate: fieldOf(request, 'private') === 'yes',
      group: fieldOf(request, 'group'),
    };
    const again = (errors: Claim['errors']) => show(request, { values, errors });
    if (values.scopes.length === 0) return await again({ scope: 'Tick at least one thing that it may do.' });
    try {
      const message = reader.readMessage(ClaimAiRequestSchema, {
        token: request.params['token'],
        permissions: values.scopes,
        owner_private: values.ownerPrivate,
        ...(values.group !== '' && { group: values.group }),
      });
      const ai = await peers.ais.claimAi(message, { caller: person });
      return { goTo: paths.claimed(ai.id) };
    } catch (error) {
      const errors = fieldErrors(error, fieldsOfPage);
      if (errors !== undefined) return await again(errors);
      const why = refusalOf(error);
      if (why === undefined) throw error;
      // What is unknown may be the group rather than the link.
      if (why !== 'unknown' || (await find(request)) === null) return refused(request, why);
      return await again({ group: 'This is no group of yours any more. Choose another one, or none.' });
    }
  }

  addPage({
    name: 'claim',
    path: '/claim/:token',
    async get(request) {
      await rates.spend(RateClass.PEEK, request.visit.caller, request.exchange);
      return await show(request);
    },
    post: claim,
  });
  addPage({
    name: 'claim_not_mine',
    path: '/claim/:token/not-mine',
    post: ({ frame }) => ({ html: notMinePage(frame) }),
  });
  addPage({
    name: 'claimed',
    path: '/ais/:id/claimed',
    get: signedIn(async ({ request, person }) => {
      const owned = await findOwnAi(peers, person, request.params['id'] ?? '');
      const undoUntilMs = owned?.ai.undoUntilMs;
      if (owned === null || undoUntilMs === undefined) return { goTo: paths.ais };
      return { html: claimedPage(await frameWithZone(peers, request), { ai: owned.ai, undoUntilMs }) };
    }),
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

/** What the link is not good for; undefined for any other fault. */
function refusalOf(error: unknown): ClaimRefusal | undefined {
  if (!isHearthError(error)) return undefined;
  const { kind, details } = error;
  if (kind === 'not_found') return 'unknown';
  if (kind === 'rate_limited' && details.limit?.startsWith('claims')) return 'too_many';
  return details.code === 'guardian_needed' ? 'minor' : undefined;
}
