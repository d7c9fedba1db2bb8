import { hash } from 'node:crypto';
import type { Clock } from '@hearth/clock';
import { t } from '@hearth/i18n';
import type { Grant, OAuthService, Speaker } from '@hearth/proto/identity/v1/oauth';
import { Scope as ScopeNumber } from '@hearth/proto/options';
import type { Caller, Client } from '@hearth/rpc';
import {
  type Consent,
  type ConsentClient,
  consentOfChildPage,
  consentPage,
  knownScopes,
  messagePage,
  type Scope,
  type SpeakerChoice,
} from '@hearth/web';
import { errors, type OAuthInteraction, type Provider } from 'oidc-provider';
import {
  aiNameOf,
  type FormRequest,
  ifThere,
  type PageAnswer,
  type PageRequest,
  scopesOf,
  shown,
  signedInLately,
  signInAfresh,
  signInFirst,
  submit,
} from '../pages/module.ts';
import { answersTo } from './client-rules.ts';
import { oauthPaths } from './paths.ts';
import { scopesAsked } from './resources.ts';

export interface Deps {
  provider: Provider;
  oauth: Pick<Client<typeof OAuthService>, 'listSpeakers' | 'listGrants' | 'saveGrant'>;
  clock: Clock;
}

/** Days without use after which a refresh token ends, and the grant with it. */
const idleDays = 30;

const fieldsOfPage = { name: 'new_name', speaker: 'speaker', scope: 'scope' };

/** A program's request for consent. */
interface ConsentRequest {
  request: PageRequest;
  interaction: OAuthInteraction;
  person: Caller;
  client: ConsentClient & { id: string };
  scopes: Scope[];
  resources: string[];
  redirectUri: string;
}

/** The page on which a person allows or refuses a program. */
export interface ConsentPage {
  get(request: PageRequest): Promise<PageAnswer>;
  post(request: FormRequest): Promise<PageAnswer>;
}

export function createConsentPage(context: Deps): ConsentPage {
  return {
    get: (request) => answer(context, request, show),
    post: (request) => answer(context, request, (...given) => decide(...given, request.form)),
  };
}

async function answer(
  context: Deps,
  request: PageRequest,
  then: (context: Deps, consent: ConsentRequest) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { visit } = request;
  const interaction = await findInteraction(context, request);
  if (interaction === undefined) return expired(request);
  const here = oauthPaths.interaction(interaction.uid);
  const { person } = visit;
  if (person === null || person.guest) return signInFirst(here);
  if (wantsFreshSignIn(interaction, person)) return { goTo: signInAfresh(here) };
  const { params } = interaction;
  const found = await context.provider.Client.find(String(params['client_id']));
  if (found === undefined) return expired(request);
  const redirectUri = String(params['redirect_uri']);
  const host = URL.canParse(found.clientId) ? new URL(found.clientId).host : undefined;
  const name = found.clientName ?? host ?? 'Unnamed program';
  return await then(context, {
    request,
    interaction,
    person,
    client: { id: found.clientId, name, host, answersTo: answersTo(redirectUri) },
    scopes: scopesAsked(params['scope'] as string | undefined),
    resources: [params['resource'] ?? []].flat(),
    redirectUri,
  });
}

async function findInteraction(
  { provider }: Deps,
  { exchange, param }: PageRequest,
): Promise<OAuthInteraction | undefined> {
  try {
    const interaction = await provider.interactionDetails(exchange.request, exchange.response);
    return interaction.uid === param('uid') ? interaction : undefined;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

/** Whether the program asks for a fresh sign-in (`prompt=login`) that did not happen yet. */
function wantsFreshSignIn({ params, iat }: OAuthInteraction, { authenticatedAt }: Caller): boolean {
  const prompts = String(params['prompt'] ?? '').split(' ');
  return prompts.includes('login') && Number(authenticatedAt) < iat * 1_000;
}

async function show(context: Deps, consent: ConsentRequest): Promise<PageAnswer> {
  if (consent.scopes.length === 0)
    return await finish(context, consent, {
      error: 'invalid_scope',
      error_description: 'none of the scopes is known',
    });
  return await showPage(context, consent, {});
}

/** The page, with earlier values and errors. */
async function showPage(
  { clock, oauth }: Deps,
  { request, interaction, person, client, scopes, redirectUri }: ConsentRequest,
  again: Pick<Consent, 'ticked' | 'speaker' | 'newName' | 'errors'>,
): Promise<PageAnswer> {
  const { frame } = request;
  const action = oauthPaths.interaction(interaction.uid);
  if (person.minor) return { html: consentOfChildPage(frame, { client, action }), redirectUri };
  const [{ speakers }, before] = await Promise.all([
    oauth.listSpeakers({}, { caller: person }),
    ifThere(oauth.listGrants({}, { caller: person })),
  ]);
  const html = consentPage(frame, {
    action,
    client,
    asked: scopes,
    speakers: speakers.map(choiceOf),
    speaker: spokenAsBefore(client.id, speakers, before?.grants ?? []),
    newName: client.name.slice(0, 40),
    idleDays,
    approveNeedsSignIn: !signedInLately(person, clock.now()),
    ...again,
  });
  return { ...shown(html, again), redirectUri };
}

/** The AI that this client already acts as. Compared by id: clients choose their own names. */
function spokenAsBefore(
  clientId: string,
  speakers: readonly Speaker[],
  newestFirst: readonly Grant[],
): string | undefined {
  const grants = newestFirst.filter((grant) => grant.clientId === clientId);
  return grants.map(({ ai }) => ai?.id).find((id) => speakers.some((speaker) => speaker.id === id));
}

function choiceOf(speaker: Speaker): SpeakerChoice {
  return { ...aiNameOf(speaker), id: speaker.id };
}

async function decide(
  context: Deps,
  consent: ConsentRequest,
  form: FormRequest['form'],
): Promise<PageAnswer> {
  const { interaction, person } = consent;
  if (form.get('decision') !== 'allow')
    return await finish(context, consent, {
      error: 'access_denied',
      error_description: 'the person refused',
    });
  const ticked = knownScopes(form.getAll('scope')).filter((scope) => consent.scopes.includes(scope));
  const speaker = form.get('speaker') ?? 'new';
  const newName = (form.get('new_name') ?? '').trim();
  const typed = { ticked, speaker, newName };
  if (ticked.length === 0) {
    const scope = t('consent.permissions-missing');
    return await showPage(context, consent, { ...typed, errors: { scope } });
  }
  if (ticked.includes('approve') && !signedInLately(person, context.clock.now()))
    return { goTo: signInAfresh(oauthPaths.interaction(interaction.uid)) };
  return await submit(
    fieldsOfPage,
    () => grant(context, consent, typed),
    (errors) => showPage(context, consent, { ...typed, errors }),
  );
}

async function grant(
  context: Deps,
  consent: ConsentRequest,
  { ticked, speaker, newName }: { ticked: Scope[]; speaker: string; newName: string },
): Promise<PageAnswer> {
  const { oauth, provider } = context;
  const { client, interaction, person, resources } = consent;
  const saved = await oauth.saveGrant(
    {
      // Idempotent: a form submitted twice creates one grant and one AI.
      id: hash('sha256', `grant ${interaction.uid}`, 'base64url'),
      clientId: client.id,
      clientName: client.name,
      scopes: ticked.map((scope) => ScopeNumber[scope.toUpperCase() as keyof typeof ScopeNumber]),
      speaker: speaker === 'new' ? { case: 'newName', value: newName } : { case: 'ai', value: speaker },
    },
    { caller: person },
  );
  const kept = new provider.Grant({ accountId: saved.person, clientId: client.id, jti: saved.id });
  const granted = scopesOf(saved.scopes).join(' ');
  for (const resource of resources) kept.addResourceScope(resource, granted);
  await kept.save();
  return await finish(context, consent, {
    login: { accountId: saved.person, remember: false },
    consent: { grantId: saved.id },
  });
}

/** Returns to the authorization server, which sends the answer to the program. */
async function finish({ provider }: Deps, { request }: ConsentRequest, result: object): Promise<PageAnswer> {
  const { request: incoming, response } = request.exchange;
  return { goTo: await provider.interactionResult(incoming, response, result) };
}

function expired({ frame }: PageRequest): PageAnswer {
  const html = messagePage(frame, {
    title: t('consent.expired'),
    words: t('consent.expired-more'),
    tone: 'care',
  });
  return { html, status: 400 };
}
