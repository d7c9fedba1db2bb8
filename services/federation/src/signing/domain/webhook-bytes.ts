import { badField, type HearthError } from '@hearth/errors';

/**
 * Ids of this home's own webhooks. None starts like a base64url protected header, so that a signed webhook
 * can never be the signing input of a record.
 */
const webhookId = /^(?:(?:evt|apr)_[0-9a-f]{32}|msg_(?:verification|gap|terminated)_[0-9a-f]{32})$/;

/** Without its receiver in the body, one receiver could replay a webhook to another. */
const addressed = Buffer.from('{"to":"');

/** Returns why a webhook may not be signed; null if it may. */
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
