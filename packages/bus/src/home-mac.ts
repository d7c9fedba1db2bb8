import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { internal } from '@hearth/errors';
import { recordForeignMessage } from '@hearth/telemetry';

/** The bytes that the MAC adds to a message. */
export const macBytes = 32;

/** Authenticates this home's messages, so that no other home or client on the same server can forge them. */
export interface HomeMac {
  /** Returns the message with its MAC in front. */
  sign(subject: string, message: Uint8Array): Uint8Array;
  /**
   * Returns the message without its MAC, as a view. Throws, and counts it, unless this home sent the message
   * under this subject.
   */
  open(subject: string, signed: Uint8Array): Uint8Array;
}

/** @param key known only to the processes of one home */
export function createHomeMac(key: Uint8Array): HomeMac {
  const secret = createSecretKey(key);
  const macOf = (subject: string, message: Uint8Array) =>
    createHmac('sha256', secret).update(`${subject}\0`).update(message).digest();
  return {
    sign: (subject, message) => Buffer.concat([macOf(subject, message), message]),
    open(subject, signed) {
      const message = signed.subarray(macBytes);
      if (signed.length >= macBytes && timingSafeEqual(signed.subarray(0, macBytes), macOf(subject, message)))
        return message;
      recordForeignMessage();
      throw internal(`a bus message under ${subject} was not sent by this home`);
    },
  };
}
