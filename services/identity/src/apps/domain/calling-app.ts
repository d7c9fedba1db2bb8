import { badField, HearthError } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

/** uuid of an app that calls on its own behalf. @throws bad_request if it acts for a person or AI */
export function callingApp({ app, kind }: Caller): string {
  if (kind === CallerKind.APP) return app;
  throw badField('Svc-Acting-For', "this is the app's own matter; leave the header out");
}

/** For a call that began with a valid key, and whose app was deleted meanwhile. */
export function appGone(): HearthError {
  return new HearthError('unauthenticated', 'the app behind this key is no more', { code: 'key_revoked' });
}
