import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { Proof } from '@hearth/proto/common/v1/caller';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type Consent, insertConsent } from '../db/consents.ts';

/** The version of the consent text; bump it when the text changes. */
const textVersion = '1';

export interface ConsentGiven {
  child: string;
  what: Consent['what'];
  /** uuid of the consenting person; by default the calling person. */
  person?: string | null;
  by: Caller;
}

/** Records a consent about a minor: who gave it, for what, when and how. */
export async function noteConsent(
  { clock, ids }: Pick<Context, 'clock' | 'ids'>,
  tx: Tx,
  { child, what, person, by }: ConsentGiven,
): Promise<void> {
  const own = by.kind === callerKinds.PERSON ? by.id : null;
  await insertConsent(tx, {
    id: ids.uuid(),
    child,
    person: person ?? own,
    app: by.app === '' ? null : by.app,
    what,
    method: methodOf(by, person ?? own),
    textVersion,
    at: nowDate(clock),
  });
}

/** An app that does not act for the consenting person attests the consent itself. */
function methodOf({ id, kind, proof }: Caller, person: string | null): Consent['method'] {
  if (kind !== callerKinds.PERSON || id !== person) return 'app';
  if (proof === Proof.PASSKEY) return 'passkey';
  return proof === Proof.EMAIL ? 'email' : 'tap';
}
