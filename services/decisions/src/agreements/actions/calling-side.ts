import { forbidden } from '@hearth/errors';
import { type Caller, callerKinds } from '@hearth/rpc';

/** @throws forbidden for an app that does not say for which AI it acts */
export function requireAi(caller: Caller): void {
  if (caller.kind === callerKinds.AI) return;
  throw forbidden('agreements are made by AIs: act for one of them with Svc-Acting-For');
}
