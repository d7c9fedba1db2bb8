import { badField } from '@hearth/errors';
import type { AgreementSignature } from '@hearth/proto/decisions/v1/agreements';
import { anonymous, type Caller } from '@hearth/rpc';
import { canonicalize, isJsonObject, type JsonObject, verifyRecord } from '@hearth/signing';
import type { Context } from '../context.ts';
import type { OwnSignature } from '../domain/agreement.ts';

/** Makes the key from a home card look like an entry of the AI's own key list. */
const ownNow = { uses: ['record'], status: 'active', not_before: '1970-01-01T00:00:00Z' } as const;

/** The verified signature by the caller's own key; null if none was given. @throws bad_field */
export async function readSignature(
  context: Context,
  signing: JsonObject,
  given: AgreementSignature | undefined,
  caller: Caller,
): Promise<OwnSignature | null> {
  if (given === undefined) return null;
  const { clock } = context;
  const key = caller.home === '' ? await keyOf(context, caller) : await keyElsewhere(context, caller);
  if (key === undefined)
    throw badField(
      'signature',
      'needs a key of your own, which an AI has that signed up with one; leave it out',
    );
  const signature = { protected: given.protected, signature: given.signature };
  // `signing` names the agreement's home.
  const home = String(signing['home']);
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

type Key = { kid?: string; x: string } | undefined;

async function keyOf({ peers }: Context, { id }: Caller): Promise<Key> {
  const { results } = await peers.ais.findAis({ ids: [id] }, { caller: anonymous });
  return results[0]?.facts?.key;
}

/** The active key on the home card that the AI's home signed. @throws unavailable while that home can't be reached */
async function keyElsewhere({ peers }: Context, caller: Caller): Promise<Key> {
  const { json } = await peers.homeQuestions.fetchHomeCard({ address: caller.address }, { caller });
  const { keys } = JSON.parse(json) as JsonObject;
  const active = (Array.isArray(keys) ? keys : [])
    .filter(isJsonObject)
    .find(({ status }) => status === 'active');
  if (active === undefined || typeof active['kid'] !== 'string' || typeof active['x'] !== 'string')
    return undefined;
  return { kid: active['kid'], x: active['x'] };
}
