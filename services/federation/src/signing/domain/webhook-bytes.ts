import { badField, type HearthError } from '@hearth/errors';

/**
 * Ids of this home's own. None of them begins as a protected header in base64url does, so that the signed bytes of a
 * webhook are never the signing input of a record.
 */
const webhookId = /^(?:(?:evt|apr)_[0-9a-f]{32}|msg_(?:verification|gap|terminated)_[0-9a-f]{32})$/;

/** Without its receiver, whoever got it could pass it on to another one as the home's word to them. */
const addressed = Buffer.from('{"to":"');

/** The reason why a webhook gets no signature, or null. */
export function refuseWebhook(id: string, timestamp: bigint, body: Uint8Array): HearthError | null {
  if (!webhookId.test(id)) {
    return badField('id', 'must be evt_, apr_ or msg_ and the type of a control message, and 32 hex digits');
  }
  if (timestamp <= 0n) return badField('timestamp', 'must be seconds since 1970');
  if (!addressed.equals(body.subarray(0, addressed.length)))
    return badField('body', 'must be the JSON of an object that names its receiver first, in "to"');
  return null;
}

/** The signed content of Standard Webhooks: `<id>.<timestamp>.<body>`. */
export function webhookBytes(id: string, timestamp: bigint, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
}
