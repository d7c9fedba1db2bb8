import { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Host } from '@hearth/runtime';
import { type Credentials, createCredentials, type Deps } from './resolver.ts';

export { actingForHeader } from './acting-for.ts';
export { type Authenticate, createAuthenticate, type Principal } from './authenticate.ts';
export { type Credential, digestOf, namesOf } from './credential.ts';
export { type CheckPermission, permissionOf, scopeName, scopesOf } from './permission.ts';
export type { Credentials } from './resolver.ts';

/** The callers' credentials, cached by this process. */
export function startCredentials(
  host: Pick<Host, 'bus' | 'clock' | 'onStop' | 'own' | 'peer'>,
  deps: Pick<Deps, 'onEvicted'>,
): Credentials {
  const { bus, clock } = host;
  const operatorKey = host.own('operatorKey').reveal();
  const identity = host.peer('identity', IdentityService);
  const credentials = createCredentials({ identity, bus, clock, operatorKey, ...deps });
  host.onStop(() => credentials.stop());
  return credentials;
}
