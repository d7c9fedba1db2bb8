import { type Grant, OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Caller } from '@hearth/rpc';
import type { SignInOfProgram } from '@hearth/web';
import { type Context, msOf, scopesOf } from '../pages/module.ts';

/** The programs that the person lets act for them, newest first. */
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

/** A client that describes itself at an address of its own has that address as its id. */
function hostOf(clientId: string): string | undefined {
  if (!URL.canParse(clientId)) return undefined;
  const { protocol, host } = new URL(clientId);
  return protocol === 'https:' ? host : undefined;
}
