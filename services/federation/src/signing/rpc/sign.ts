import { badField } from '@hearth/errors';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { UnaryHandler } from '@hearth/rpc';
import {
  encodeBase64url,
  isJsonObject,
  maxUnsignedBytes,
  parseInstant,
  parseStrictJson,
  type RecordType,
  signBytes,
  signingInput,
} from '@hearth/signing';
import { refuseToSign } from '../../shared/domain/sign-rules.ts';
import type { Context } from '../context.ts';

/** Signs a record for a service that may issue that type. */
export const sign =
  ({ home, clock, keyRing }: Context): UnaryHandler<typeof FederationService.method.sign> =>
  async ({ typ, json }, { service }) => {
    const record = parseStrictJson(json, { maxBytes: maxUnsignedBytes });
    if (!isJsonObject(record)) throw badField('json', 'a record is a JSON object');
    const { pair, notBefore } = keyRing.current;
    const refusal = refuseToSign(
      { service, typ, record, issuedAt: parseInstant(record['issued_at']) },
      { home, now: clock.now(), keyNotBefore: notBefore.getTime() },
    );
    if (refusal !== null) throw refusal;
    // Only a listed typ gets this far.
    const input = signingInput(record, { kid: pair.kid, typ: typ as RecordType });
    const signature = encodeBase64url(signBytes(pair.privateKey, input.bytes));
    return { signature: { protected: input.protected, signature } };
  };
