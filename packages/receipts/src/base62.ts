const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes bytes as `length` characters of [0-9A-Za-z]; 22 characters need at most 32 bytes. */
export function base62Of(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text += base62[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}
