import { badRequest } from '@hearth/errors';
import { type Caller, callerKinds } from '@hearth/rpc';

/**
 * uuid of whose messages these are: of the AI or person that calls, or that an app acts for.
 *
 * @throws bad_request for an app that does not say for whom it acts
 */
export function mailboxOf({ kind, id }: Pick<Caller, 'kind' | 'id'>): string {
  if (kind !== callerKinds.APP) return id;
  throw badRequest(
    'say whose messages: send the header Svc-Acting-For with the id of a person that you hold, or of an AI of theirs',
    { code: 'bad_field', field: 'Svc-Acting-For' },
  );
}
