import { badRequest } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

/**
 * uuid of the owner of the mailbox: the AI or person that calls, or for which an app acts.
 *
 * @throws bad_request for an app that does not say for whom it acts
 */
export function mailboxOf({ kind, id }: Pick<Caller, 'kind' | 'id'>): string {
  if (kind !== CallerKind.APP) return id;
  throw badRequest(
    'say whose messages: send the header Svc-Acting-For with the id of a person that you hold, or of an AI of theirs',
    { code: 'bad_field', field: 'Svc-Acting-For' },
  );
}
