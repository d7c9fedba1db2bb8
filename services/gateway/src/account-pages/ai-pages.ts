import { isHearthError, notFound } from '@hearth/errors';
import { readText, t } from '@hearth/i18n';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Caller } from '@hearth/rpc';
import {
  type Ai,
  aiPage,
  aisPage,
  type Did,
  endSignInPage,
  type Frame,
  knownScopes,
  moment,
  newKeyPage,
  paths,
  type SignInOfProgram,
  switchOffPage,
} from '@hearth/web';
import {
  type Context,
  doneOf,
  errorWords,
  fieldErrors,
  findOwnAi,
  frameWithZone,
  ifThere,
  listOwnAis,
  msOf,
  noticeOn,
  type Own,
  type OwnedAi,
  type OwnForm,
  type PageAnswer,
  shown,
  signedInLately,
  signInAfresh,
} from '../pages/module.ts';
import { listSignIns } from './sign-ins.ts';

const shownActs = 10;
/** Minutes for which the old key still works. */
const keptMinutes = { routine: 60, leaked: 0 };

const doneWords = {
  saved: t('account.saved'),
  off: t('ais.removed-done'),
  ended: t('ais.signed-out'),
};

const fieldsOfPage = { name: 'name', permissions: 'scope' };

/** The pages that list and change everything that acts for a person. */
export function addAiPages(context: Context): void {
  const { addOwnPage, ask, send, config } = context;

  addOwnPage('ais', '/ais', {
    opensByLink: true,
    async get(request) {
      const [owned, signIns, frame] = await Promise.all([
        listOwnAis(context, request.person),
        ifThere(listSignIns(context, request.person)),
        frameWithZone(context, request),
      ]);
      const ais = owned.map(({ ai }) => ai);
      const connectUrl = `${config.siteUrl}${paths.mcp}`;
      return { html: aisPage(frame, { ais, signIns, done: doneOf(request, doneWords), connectUrl }) };
    },
  });

  addOwnPage('ai', '/ais/:id', {
    get: (request) => showAi(context, request),
    post: (request) => changeAi(context, request),
  });

  addOwnPage('ai_switch_off', '/ais/:id/switch-off', {
    async get(request) {
      const { ai } = await ownAi(context, request);
      return ai.revoked ? { goTo: paths.ai(ai.id) } : { html: switchOffPage(request.frame, { ai }) };
    },
    async post(request) {
      const { ai } = await ownAi(context, request);
      await send(IdentityService.method.revokeAi, { id: ai.id }, request.person);
      return noticeOn(paths.ais, 'off');
    },
  });

  addOwnPage('sign_in_end', '/ais/sign-ins/:id/end', {
    get: async (request) => ({
      html: endSignInPage(request.frame, { signIn: await findSignIn(context, request) }),
    }),
    async post(request) {
      const { id } = await findSignIn(context, request);
      await ask(OAuthService.method.endGrant, { id }, request.person);
      return noticeOn(paths.ais, 'ended');
    },
  });

  addOwnPage('ai_key', '/ais/:id/key', { post: (request) => renewKey(context, request) });
}

async function ownAi(context: Context, request: Own): Promise<OwnedAi> {
  const owned = await findOwnAi(context, request.person, request.param('id'));
  if (owned === null) throw notFound();
  return owned;
}

async function findSignIn(context: Context, request: Own): Promise<SignInOfProgram> {
  const all = await listSignIns(context, request.person);
  const found = all.find(({ id }) => id === request.param('id'));
  if (found === undefined) throw notFound();
  return found;
}

async function showAi(context: Context, request: Own, more: Partial<Ai> = {}): Promise<PageAnswer> {
  const { person } = request;
  const [{ ai, keys }, frame] = await Promise.all([ownAi(context, request), frameWithZone(context, request)]);
  const did = await actsOf(context, person, ai.id, frame);
  const stale = !ai.scopes.includes('approve') && !signedInLately(person, context.clock.now());
  const approveNeedsSignIn = stale ? signInAfresh(paths.ai(ai.id)) : undefined;
  const done = doneOf(request, doneWords);
  const commons = context.config.commons === 'public';
  return shown(aiPage(frame, { ai, keys, did, done, approveNeedsSignIn, commons, ...more }), more);
}

async function actsOf(
  { ask }: Context,
  caller: Caller,
  id: string,
  frame: Frame,
): Promise<Did[] | undefined> {
  const listed = await ifThere(
    ask(ActivityService.method.listActivity, { by: id, limit: shownActs }, caller),
  );
  return listed?.activity.map(({ at, summary = '', wording }) => ({
    atMs: msOf(at) ?? 0,
    words: readText(wording, summary, (when) => moment(frame, when.getTime())),
  }));
}

async function changeAi(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { ai } = await ownAi(context, request);
  const values = {
    name: request.field('name'),
    scopes: knownScopes(request.form.getAll('scope')),
    ownerPrivate: request.field('private') === 'yes',
  };
  const again = (errors: Ai['errors']) => showAi(context, request, { values, errors });
  if (values.scopes.length === 0) {
    return await again({ scope: t('ais.permissions-missing') });
  }
  const changes = {
    permissions: values.scopes,
    owner_private: values.ownerPrivate,
    // Left out if unchanged: sending a name moves the address.
    ...(values.name !== ai.name && { name: values.name }),
  };
  try {
    await context.send(AisService.method.updateAi, { id: ai.id, ...changes }, request.person);
    return noticeOn(paths.ai(ai.id), 'saved');
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors !== undefined) return await again(errors);
    if (!isHearthError(error) || error.kind !== 'forbidden') throw error;
    return await again({ scope: errorWords(error) });
  }
}

async function renewKey(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { ai } = await ownAi(context, request);
  const reason = request.field('reason') === 'leaked' ? 'leaked' : 'routine';
  const oldKeyMinutes = keptMinutes[reason];
  const wanted = { id: ai.id, reason, keep_old_minutes: oldKeyMinutes };
  const { connectorKey } = await context.send(IdentityService.method.rotateAiKey, wanted, request.person);
  return { html: newKeyPage(request.frame, { ai, key: connectorKey, oldKeyMinutes }) };
}
