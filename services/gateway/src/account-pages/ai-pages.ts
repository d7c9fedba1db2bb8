import { minute } from '@hearth/clock';
import { isHearthError, notFound } from '@hearth/errors';
import { Proof } from '@hearth/proto/common/v1/caller';
import { UpdateAiRequestSchema } from '@hearth/proto/identity/v1/ais';
import { RevokeAiRequestSchema, RotateAiKeyRequestSchema } from '@hearth/proto/identity/v1/identity';
import type { Caller } from '@hearth/rpc';
import {
  type Ai,
  aiPage,
  aisPage,
  type Did,
  endSignInPage,
  knownScopes,
  newKeyPage,
  paths,
  type SignInOfProgram,
  switchOffPage,
} from '@hearth/web';
import {
  type Asked,
  type FormRequest,
  fieldErrors,
  fieldOf,
  findOwnAi,
  frameWithZone,
  ifThere,
  listOwnAis,
  msOf,
  type OwnedAi,
  type PageAnswer,
  type PageRequest,
  sentence,
  signedIn,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';
import { listSignIns } from './sign-ins.ts';

/** How fresh a sign-in has to be for what a stolen session must not do. */
const freshMs = 10 * minute;
const shownActs = 10;
/** For how long the old key goes on, in minutes. */
const keptMinutes = { routine: 60, leaked: 0 };

/** What a page says was just done, by the word in its query. */
const doneWords: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  off: 'It is switched off.',
  ended: 'That sign-in has ended.',
};

const fieldsOfPage = { name: 'name', permissions: 'scope' };

/** All that acts for a person, to see and to change. */
export function addAiPages(context: PeopleContext): void {
  const { addPage, peers, siteUrl } = context;

  addPage({
    name: 'ais',
    path: '/ais',
    opensByLink: true,
    get: signedIn(async ({ request, person }) => {
      const [all, programs, frame] = await Promise.all([
        listOwnAis(peers, person),
        ifThere(listSignIns(peers, person)),
        frameWithZone(peers, request),
      ]);
      const ais = all.map(({ ai }) => ai);
      const html = aisPage(frame, {
        ais,
        signIns: programs,
        done: doneOf(request),
        connectUrl: `${siteUrl}${paths.mcp}`,
      });
      return { html };
    }),
  });

  addPage({
    name: 'ai',
    path: '/ais/:id',
    get: signedIn((asked) => showAi(context, asked)),
    post: signedIn<FormRequest>((asked) => changeAi(context, asked)),
  });

  addPage({
    name: 'ai_key',
    path: '/ais/:id/key',
    post: signedIn<FormRequest>((asked) => renewKey(context, asked)),
  });

  addPage({
    name: 'ai_switch_off',
    path: '/ais/:id/switch-off',
    get: signedIn(async (asked) => {
      const { ai } = await ownAi(context, asked);
      return ai.revoked ? { goTo: paths.ai(ai.id) } : { html: switchOffPage(asked.request.frame, { ai }) };
    }),
    post: signedIn<FormRequest>(async (asked) => {
      const { ai } = await ownAi(context, asked);
      const message = context.reader.readMessage(RevokeAiRequestSchema, { id: ai.id });
      await peers.identity.revokeAi(message, { caller: asked.person });
      return { goTo: `${paths.ais}?done=off` };
    }),
  });

  addPage({
    name: 'sign_in_end',
    path: '/ais/sign-ins/:id/end',
    get: signedIn(async (asked) => {
      const signIn = await findSignIn(context, asked);
      return { html: endSignInPage(asked.request.frame, { signIn }) };
    }),
    post: signedIn<FormRequest>(async (asked) => {
      const { id } = await findSignIn(context, asked);
      await peers.oauth.endGrant({ id }, { caller: asked.person });
      return { goTo: `${paths.ais}?done=ended` };
    }),
  });
}

async function ownAi({ peers }: PeopleContext, { request, person }: Asked): Promise<OwnedAi> {
  const owned = await findOwnAi(peers, person, request.params['id'] ?? '');
  if (owned === null) throw notFound();
  return owned;
}

async function findSignIn({ peers }: PeopleContext, { request, person }: Asked): Promise<SignInOfProgram> {
  const all = await listSignIns(peers, person);
  const found = all.find(({ id }) => id === request.params['id']);
  if (found === undefined) throw notFound();
  return found;
}

async function showAi(context: PeopleContext, asked: Asked, more: Partial<Ai> = {}): Promise<PageAnswer> {
  const { peers, clock } = context;
  const { request, person } = asked;
  const [{ ai, keys }, frame] = await Promise.all([ownAi(context, asked), frameWithZone(peers, request)]);
  const did = await actsOf(context, person, ai.id);
  const approveNeedsSignIn = !ai.scopes.includes('approve') && !isFresh(person, clock.now());
  const html = aiPage(frame, { ai, keys, did, done: doneOf(request), approveNeedsSignIn, ...more });
  return { html, status: more.errors === undefined ? 200 : 400 };
}

async function actsOf({ peers }: PeopleContext, caller: Caller, id: string): Promise<Did[] | undefined> {
  const listed = await ifThere(peers.activity.listActivity({ by: id, limit: shownActs }, { caller }));
  return listed?.activity.map(({ at, summary }) => ({ atMs: msOf(at) ?? 0, words: summary ?? '' }));
}

async function changeAi(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { request, person } = asked;
  const { ai } = await ownAi(context, asked);
  const values = {
    name: fieldOf(request, 'name'),
    scopes: knownScopes(request.form.getAll('scope')),
    ownerPrivate: fieldOf(request, 'private') === 'yes',
  };
  const again = (errors: Ai['errors']) => showAi(context, asked, { values, errors });
  if (values.scopes.length === 0) {
    return await again({ scope: 'Tick at least one thing. To stop it altogether, switch it off.' });
  }
  try {
    const message = reader.readMessage(UpdateAiRequestSchema, {
      id: ai.id,
      permissions: values.scopes,
      owner_private: values.ownerPrivate,
      // A name that is sent again would move the address.
      ...(values.name !== ai.name && { name: values.name }),
    });
    await peers.ais.updateAi(message, { caller: person });
    return { goTo: `${paths.ai(ai.id)}?done=saved` };
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors !== undefined) return await again(errors);
    if (!isHearthError(error) || error.kind !== 'forbidden') throw error;
    return await again({ scope: sentence(error.message) });
  }
}

async function renewKey(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { ai } = await ownAi(context, asked);
  const reason = fieldOf(asked.request, 'reason') === 'leaked' ? 'leaked' : 'routine';
  const oldKeyMinutes = keptMinutes[reason];
  const message = reader.readMessage(RotateAiKeyRequestSchema, {
    id: ai.id,
    reason,
    keep_old_minutes: oldKeyMinutes,
  });
  const { connectorKey } = await peers.identity.rotateAiKey(message, { caller: asked.person });
  return { html: newKeyPage(asked.request.frame, { ai, key: connectorKey, oldKeyMinutes }) };
}

function isFresh({ authenticatedAt, proof }: Caller, now: number): boolean {
  return proof === Proof.PASSKEY || now - Number(authenticatedAt) <= freshMs;
}

function doneOf({ query }: PageRequest): string | undefined {
  const done = query.get('done') ?? '';
  return Object.hasOwn(doneWords, done) ? doneWords[done] : undefined;
}
