import { type Grant, OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Caller } from '@hearth/rpc';
import type { SignInOfProgram } from '@hearth/web';
import { type Context, msOf, scopesOf } from '../pages/module.ts';

/** The programs that may act for the person, newest first. */
export async function listSignIns({ ask }: Context, caller: Caller): Promise<SignInOfProgram[]> {
  return (await ask(OAuthService.method.listGrants, {}, caller)).grants.map(signInOf);
}

function signInOf({ id, clientId, clientName, ai, scopes, createdAt, lastUsed }: Grant): SignInOfProgram {
  return {
    id,
    clientName,
    clientHost: hostOf(clientId),
    aiName: ai?.name ?? '',
    scopes: scopesOf(scopes),
    sinceMs: msOf(createdAt) ?? 0,
    lastUsed,
  };
}

/** The host of a client whose id is the address of its own description. */
function hostOf(clientId: string): string | undefined {
  if (!URL.canParse(clientId)) return undefined;
  const { protocol, host } = new URL(clientId);
  return protocol === 'https:' ? host : undefined;
}
