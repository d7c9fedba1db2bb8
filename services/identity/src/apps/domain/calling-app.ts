import { badField, HearthError } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

/** uuid of the app that calls for itself. @throws bad_request for one that acts for a person */
export function callingApp({ app, kind }: Caller): string {
  if (kind === CallerKind.APP) return app;
  throw badField('Svc-Acting-For', "this is the app's own matter; leave the header out");
}

/** For a call whose key was good when it set out, and whose app is no more. */
export function appGone(): HearthError {
  return new HearthError('unauthenticated', 'the app behind this key is no more', { code: 'key_revoked' });
}
