import { day, hour, minute, second } from '@hearth/clock';
import { type Text, t } from '@hearth/i18n';
import { fixed } from '@hearth/limits';
import type { Grant, OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type Frame, failedPage, messagePage, pageHeaders, scopes } from '@hearth/web';
import { errors, interactionPolicy, type OAuthAdapter, type OAuthContext, Provider } from 'oidc-provider';
import { visitorFrame } from '../http/module.ts';
import { answered } from './answered.ts';
import { type ClientMetadata, settleClient } from './client-rules.ts';
import { cookieKeys, unusedKeySet } from './keys.ts';
import { oauthPaths } from './paths.ts';
import { type Resources, scopesNamed } from './resources.ts';
import { deriveSuccessors } from './successors.ts';

export interface Deps extends Pick<Host, 'config' | 'ids' | 'languages' | 'log' | 'sealer'> {
  oauth: Pick<Client<typeof OAuthService>, 'findGrant'>;
  adapter(model: string): OAuthAdapter;
  resources: Resources;
}

/** How long issued objects live, in seconds. */
const lifetimes = {
  AccessToken: fixed.access_token_seconds,
  AuthorizationCode: fixed.oauth_code_seconds,
  RefreshToken: (fixed.refresh_token_days * day) / second,
  Interaction: hour / second,
  // Ended by identity: with its AI, by the person, or once nothing of it is left.
  Grant: (3_650 * day) / second,
  // Not kept beyond the request that starts it.
  Session: minute / second,
};

/**
 * The authorization server: exchanges codes with PKCE for tokens, without OpenID Connect. It keeps no session
 * of its own: the home's session identifies the person, who is asked about each request of a client.
 */
export function createProvider(deps: Deps): Provider {
  const { config, log } = deps;
  const provider = new Provider(config.siteUrl, configurationOf(deps));
  deriveSuccessors(provider, deps.sealer);
  // Its addresses are the site's, however a request arrived; see `mount`.
  provider.proxy = true;
  provider.silent = true;
  const logFailure = (error: Error) => log.error({ err: error }, 'the authorization server failed');
  provider.on('server_error', (_context, error) => logFailure(error));
  provider.on('authorization.success', forgetSession);
  provider.use(async (context, next) => {
    context.set({ 'X-Content-Type-Options': 'nosniff' });
    // Pages of other sites keep the gateway's own CORS headers; the library would admit every origin.
    const letIn = context.response.get('Access-Control-Allow-Origin') !== '';
    await next();
    if (!letIn) for (const name of corsHeaders) context.remove(name);
    if (context.oidc?.route === 'token' && context.status === 200) nameAi(context);
    if (context.oidc?.route === 'registration' && context.status === 201) showClient(context);
  });
  return provider;
}

const corsHeaders = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];

function configurationOf({ config, languages, oauth, adapter, resources, sealer, ids }: Deps): object {
  const off = { enabled: false };
  const secure = config.siteUrl.startsWith('https:');
  // The library limits some cookies to a path, which the __Host- prefix forbids.
  const cookie = (name: string, prefix = '__Secure-') => `${secure ? prefix : ''}hearth_oauth_${name}`;
  return {
    adapter,
    clients: [],
    jwks: unusedKeySet(sealer),
    cookies: {
      keys: cookieKeys(sealer),
      names: {
        session: cookie('session', '__Host-'),
        interaction: cookie('interaction'),
        resume: cookie('resume'),
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax', secure },
      short: { signed: true, httpOnly: true, sameSite: 'lax', secure },
    },
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      registration: oauthPaths.register,
      revocation: oauthPaths.revoke,
    },
    features: {
      devInteractions: off,
      userinfo: off,
      rpInitiatedLogout: off,
      dPoP: off,
      registration: {
        enabled: true,
        idFactory: () => ids.token(22),
        secretFactory: async () => ids.token(43),
        issueRegistrationAccessToken: false,
      },
      revocation: { enabled: true, allowedPolicy },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context: OAuthContext, _client: unknown, oneOf?: string[]) =>
          oneOf ?? resources.usual,
        useGrantedResource: async () => true,
        getResourceServerInfo: (_context: OAuthContext, resource: string) => {
          const audience = resources.audienceOf(resource);
          if (audience === undefined) throw new errors.InvalidTarget();
          const accessTokenTTL = lifetimes.AccessToken;
          return { scope: scopes.join(' '), audience, accessTokenTTL, accessTokenFormat: 'opaque' };
        },
      },
    },
    responseTypes: ['code'],
    scopes: ['offline_access'],
    claims: {},
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => false,
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'EdDSA',
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_context: unknown, _name: string, _value: unknown, metadata: ClientMetadata) => {
        const wrong = settleClient(metadata);
        if (wrong !== undefined) throw new errors.InvalidClientMetadata(wrong);
      },
    },
    // client-documents.ts reads the documents of clients; the library itself fetches nothing.
    fetch: async () => {
      throw new Error('the authorization server fetches nothing');
    },
    pkce: { required: () => true },
    ttl: lifetimes,
    expiresWithSession: async () => false,
    issueRefreshToken: async (_context: OAuthContext, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // A token that was revoked by its client, or used twice, ends the sign-in with all its tokens.
    revokeGrantPolicy: () => true,
    interactions: {
      policy: [new interactionPolicy.Prompt({ name: 'login', requestable: true }), consentEachTime()],
      url: (_context: OAuthContext, interaction: { uid: string }) => oauthPaths.interaction(interaction.uid),
    },
    loadExistingGrant: (context: OAuthContext & { oidc: { provider: Finder } }) => {
      const id = context.oidc.result?.consent?.grantId;
      return id === undefined ? undefined : context.oidc.provider.Grant.find(id);
    },
    async findAccount(context: OAuthContext, person: string, token?: { grantId?: string }) {
      const account = { accountId: person, claims: async () => ({ sub: person }) };
      if (token?.grantId === undefined) return account;
      const { grant } = await answered(oauth.findGrant({ id: token.grantId }));
      if (grant?.person !== person) return undefined;
      context.state['grant'] = grant;
      return account;
    },
    renderError: (context: OAuthContext, out: OAuthError) => {
      context.type = 'html';
      const headers = pageHeaders();
      context.set(
        Object.fromEntries(
          headers.flatMap((name, index) => (index % 2 ? [] : [[name, headers[index + 1]!]])),
        ),
      );
      context.body = errorPageOf(visitorFrame({ config, languages }, context.req), out);
    },
  };
}

interface OAuthError {
  error: string;
  error_description?: string;
}

interface Finder {
  Grant: { find(id: string): Promise<unknown> };
}

/** A client may revoke its own tokens, and learns nothing about others. */
async function allowedPolicy(
  _context: OAuthContext,
  client: { clientId: string },
  token: { clientId?: string },
) {
  return token.clientId === client.clientId;
}

/** An earlier consent doesn't count as a new one. */
function consentEachTime() {
  const check = new interactionPolicy.Check(
    'not_asked',
    'the person has to agree',
    'consent_required',
    ({ oidc }) => oidc?.result?.consent === undefined,
  );
  return new interactionPolicy.Prompt({ name: 'consent', requestable: true }, check);
}

function forgetSession({ oidc }: OAuthContext): void {
  if (oidc?.session !== undefined) oidc.session.destroyed = true;
}

/** Adds the AI that the client now acts as to the answer with its token. */
function nameAi(context: OAuthContext): void {
  const grant = context.state['grant'] as Grant | undefined;
  if (grant?.ai === undefined) return;
  const { id, address, name } = grant.ai;
  context.body = { ...(context.body as object), ai: { id, address, name } };
}

/**
 * Removes the OpenID Connect members from a registration's answer, and adds the requested scopes, all of
 * which are kept.
 */
function showClient(context: OAuthContext): void {
  const {
    id_token_signed_response_alg: _algorithm,
    subject_type: _subject,
    require_auth_time: _time,
    ...client
  } = context.body as Record<string, unknown>;
  const scope = (context.oidc?.body as { scope?: unknown } | undefined)?.scope;
  const known = typeof scope === 'string' ? scopesNamed(scope) : [];
  context.body = { ...client, ...(known.length > 0 && { scope: known.join(' ') }) };
}

const unusable = 'the client cannot be used: ';

/** The error, and what to do about it. */
function reasonWords(error: string, why: string): Text {
  if (error === 'invalid_client' && why.startsWith(unusable))
    return t('consent.program-unusable', { reason: why.slice(unusable.length) });
  if (error === 'invalid_client') return t('consent.program-unknown');
  if (error === 'invalid_target') return t('consent.other-home');
  return t('consent.bad-request', { reason: why });
}

/** The error page for a person whose program sent a request that cannot be answered to the program. */
function errorPageOf(frame: Frame, { error, error_description: why = error }: OAuthError): string {
  // The log has the cause.
  if (error === 'server_error') return failedPage(frame, {});
  const busy = error === 'temporarily_unavailable';
  return messagePage(frame, {
    title: busy ? t('consent.busy') : t('consent.failed'),
    words: busy ? t('consent.busy-more') : reasonWords(error, why),
    tone: 'care',
  });
}
