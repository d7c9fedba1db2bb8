import { badField } from '@hearth/errors';
import type { AgreementSignature } from '@hearth/proto/decisions/v1/agreements';
import { anonymous, type Caller } from '@hearth/rpc';
import { canonicalize, verifyRecord } from '@hearth/signing';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import type { OwnSignature } from '../domain/agreement.ts';
import { signingOf } from '../domain/signing.ts';

/** The key as if its list were one of the AI's own. */
const ownNow = { uses: ['record'], status: 'active', not_before: '1970-01-01T00:00:00Z' } as const;

/** The signature by the caller's own key, when it is good. @throws bad_field */
export async function readSignature(
  { clock, homeNames, peers }: Context,
  row: AgreementRow,
  given: AgreementSignature | undefined,
  caller: Caller,
): Promise<OwnSignature | null> {
  if (given === undefined) return null;
  const { results } = await peers.ais.findAis({ ids: [caller.id] }, { caller: anonymous });
  const key = results[0]?.facts?.key;
  if (key === undefined)
    throw badField(
      'signature',
      'needs a key of your own, which an AI has that signed up with one; leave it out',
    );
  const signature = { protected: given.protected, signature: given.signature };
  const home = homeNames.ownHome;
  const signing = signingOf(home, row);
  const { kid = '', x } = key;
  const { valid, problems } = verifyRecord(
    { ...signing, signature },
    {
      expectedType: 'svc-key+jws',
      home,
      keys: [{ kid, kty: 'OKP', crv: 'Ed25519', x, ...ownNow }],
      now: clock.now(),
    },
  );
  if (!valid)
    throw badField(
      'signature',
      `is not that of your key over \`signing\`: ${problems.join(', ')}; sign ${canonicalize(signing)}`,
    );
  return signature;
}
