import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { internal } from '@hearth/errors';
import { recordForeignMessage } from '@hearth/telemetry';

/** Bytes that the proof adds to a message. */
export const macBytes = 32;

/** Marks what this home sends, so that no other home or client of the same server can speak for it. */
export interface HomeMac {
  /** The message with its proof before it. */
  sign(subject: string, message: Uint8Array): Uint8Array;
  /** The message without its proof, a view into it. Throws, and counts it, when the home has not sent it under that subject. */
  open(subject: string, signed: Uint8Array): Uint8Array;
}

/** @param key known to the processes of one home alone */
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
