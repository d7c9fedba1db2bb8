import { minute } from '@hearth/clock';
import { badField } from '@hearth/errors';
import type { KeysService } from '@hearth/proto/federation/v1/keys';
import type { UnaryHandler } from '@hearth/rpc';
import { parseInstant, verifyRecord } from '@hearth/signing';
import { documentKey } from '../../shared/domain/document-key.ts';
import type { SignedDocument } from '../actions/documents.ts';
import type { Context } from '../context.ts';
import { homeKeyChanged } from '../domain/announcements.ts';
import { recoveryKeys } from '../domain/key-plan.ts';
import { recoveredForMs } from '../domain/renewal.ts';

const signWithinMs = 10 * minute;

/** Returns a document for the operator to sign with the recovery key, or publishes the signed document. */
export const recoverKeys =
  (context: Context): UnaryHandler<typeof KeysService.method.recoverKeys> =>
  async ({ document, reason }, { caller }) => {
    const { changes, clock, database, documents, home, keyRing, log } = context;
    if (document === undefined) return { document: (await documents.draft()) as never, published: false };

    const signed: SignedDocument = document;
    const [issuedAt, validUntil] = [parseInstant(signed['issued_at']), parseInstant(signed['valid_until'])];
    const age = clock.now() - (issuedAt ?? 0);
    if (age < 0 || age > signWithinMs || validUntil !== issuedAt! + recoveredForMs) throw outOfDate();
    const keys = recoveryKeys((await keyRing.read(database.db)).listed);
    const { valid, problems, kid } = verifyRecord(signed, {
      expectedType: 'svc-home+jws',
      home,
      keys: keys.map(documentKey),
      now: clock.now(),
    });
    if (!valid) {
      throw badField('document', `is not signed by a recovery key of this home: ${problems.join('; ')}`);
    }
    const { json } = await changes.publish(async (tx) => {
      const issued = await documents.issueSigned(tx, signed);
      if (issued === null) throw outOfDate();
      tx.announce(homeKeyChanged({ kid: kid!, uses: ['recovery'], status: 'recovered' }, reason, caller));
      return issued;
    });
    log.info({ kid, reason }, 'the recovery key signed the document of the home');
    return { document: JSON.parse(json), published: true };
  };

function outOfDate() {
  return badField('document', 'is not, or not any more, what this home would publish; ask for it anew');
}
