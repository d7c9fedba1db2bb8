import type { WebPage, WebVisitor } from '@hearth/testkit/web-visitor';
import * as oauth from 'oauth4webapi';
import { startHttpServer } from './http-server.ts';

/** A program that signs people in, in oauth4webapi's terms. */
export interface Program {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  authentication: oauth.ClientAuth;
  redirectUri: string;
}

export const insecure = { [oauth.allowInsecureRequests]: true };

export async function discover(site: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(site);
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  return await oauth.processDiscoveryResponse(issuer, answer);
}

export async function register(site: string, metadata: Partial<oauth.Client> = {}): Promise<Program> {
  const server = await discover(site);
  const redirectUri = 'https://program.example/callback';
  const answer = await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name: 'Program',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
    insecure,
  );
  const client = await oauth.processDynamicClientRegistrationResponse(answer);
  const uris = client['redirect_uris'] as string[];
  const authentication =
    typeof client.client_secret === 'string' ? oauth.ClientSecretBasic(client.client_secret) : oauth.None();
  return { server, client, authentication, redirectUri: uris[0]! };
}

export interface AskedFor {
  scope?: string;
  resource?: string | string[];
  prompt?: string;
  redirectUri?: string;
  more?: Record<string, string>;
}

export interface Request {
  url: string;
  verifier: string;
  state: string;
  redirectUri: string;
}

/** The address to which a program sends a person. */
export async function authorizationRequest(program: Program, asked: AskedFor = {}): Promise<Request> {
  const { server, client } = program;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const redirectUri = asked.redirectUri ?? program.redirectUri;
  const url = new URL(server.authorization_endpoint!);
  const parameters: Record<string, string | undefined> = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    scope: asked.scope,
    prompt: asked.prompt,
    ...asked.more,
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') url.searchParams.set(name, value);
  for (const resource of [asked.resource ?? []].flat()) url.searchParams.append('resource', resource);
  return { url: url.href, verifier, state, redirectUri };
}

/** The person agrees to the ticked permissions on their current page. */
export async function agree(
  visitor: WebVisitor,
  page: WebPage,
  fields: Record<string, string | string[]> = {},
): Promise<WebPage> {
  const path = new URL(page.url).pathname;
  const given = {
    decision: 'allow',
    scope: ['read', 'message'],
    speaker: 'new',
    new_name: 'Helper',
    ...fields,
  };
  return await visitor.send(page, path, given);
}

/** The answer to the program, read as strictly as the library does. */
export function answerOf(program: Program, page: WebPage, { state }: Request): URLSearchParams {
  const location = page.headers.get('location');
  if (location === null) throw new Error(`no answer to the program, but ${page.status}: ${page.text}`);
  return oauth.validateAuthResponse(program.server, program.client, new URL(location), state);
}

/** The error returned to the program with the person. */
export function errorOf(program: Program, page: WebPage, request: Request): string | undefined {
  try {
    answerOf(program, page, request);
    return undefined;
  } catch (error) {
    return (error as { error?: string }).error;
  }
}

export async function exchange(
  program: Program,
  parameters: URLSearchParams,
  { redirectUri, verifier }: Request,
  resource?: string,
): Promise<oauth.TokenEndpointResponse> {
  const { server, client, authentication } = program;
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    redirectUri,
    verifier,
    { ...insecure, ...(resource !== undefined && { additionalParameters: { resource } }) },
  );
  return await oauth.processAuthorizationCodeResponse(server, client, answer);
}

export async function refresh(
  { server, client, authentication }: Program,
  token: string,
  parameters: Record<string, string> = {},
): Promise<oauth.TokenEndpointResponse> {
  const answer = await oauth.refreshTokenGrantRequest(server, client, authentication, token, {
    ...insecure,
    additionalParameters: parameters,
  });
  return await oauth.processRefreshTokenResponse(server, client, answer);
}

export async function giveBack({ server, client, authentication }: Program, token: string): Promise<void> {
  const answer = await oauth.revocationRequest(server, client, authentication, token, insecure);
  await oauth.processRevocationResponse(answer);
}

/** The whole flow: the person has signed in before, the program gets its tokens. */
export async function connect(
  program: Program,
  visitor: WebVisitor,
  asked: AskedFor = {},
  fields: Record<string, string | string[]> = {},
): Promise<oauth.TokenEndpointResponse> {
  const request = await authorizationRequest(program, asked);
  const page = await visitor.open(request.url);
  const done = await agree(visitor, page, fields);
  return await exchange(program, answerOf(program, done, request), request);
}

/** The RFC 6749 error code with which a program's request was refused. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    const { error: word, cause } = error as { error?: string; cause?: { error?: string } };
    return word ?? cause?.error ?? String(error);
  }
}

/** A site at which a program describes itself: `answer` is the document, `asked` counts its fetches. */
export async function startDocumentSite() {
  const state = {
    asked: 0,
    answer: { status: 404, body: '' } as { status: number; body: string; type?: string },
  };
  const server = await startHttpServer((_request, response) => {
    state.asked += 1;
    const { status, body, type = 'application/json' } = state.answer;
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  return Object.assign(state, { origin: server.url, stop: server.stop });
}
